package main

import (
	"fmt"
	"strings"
)

// spdx returns the SPDX expression of a licence text, which may hold several licences. It knows
// those by their wording; a text without any of them is an error, so that a person looks at it.
func spdx(text string) (string, error) {
	text = strings.Join(strings.Fields(text), " ")
	has := func(words string) bool { return strings.Contains(text, words) }
	var ids []string
	add := func(id string, found bool) {
		if found {
			ids = append(ids, id)
		}
	}
	permission := has("Permission is hereby granted, free of charge, to any person obtaining a copy")
	notice := has("this permission notice shall be included in all copies")
	redistribution := has("Redistribution and use in source and binary forms, with or without modification, are permitted")
	endorse := has("to endorse or promote products derived from this software")
	add("Apache-2.0", has("Apache License Version 2.0, January 2004"))
	add("BSD-2-Clause", redistribution && !endorse)
	add("BSD-3-Clause", redistribution && endorse)
	add("ISC", has("Permission to use, copy, modify, and distribute this software for any purpose with or without fee is hereby granted"))
	add("MIT", permission && notice)
	add("MIT-0", permission && !notice)
	add("MPL-2.0", has("Mozilla Public License Version 2.0"))
	add("Unlicense", has("This is free and unencumbered software released into the public domain"))
	if ids == nil {
		return "", fmt.Errorf("its licence is not known: add its wording to internal/dist/spdx.go")
	}
	return strings.Join(ids, " AND "), nil
}
