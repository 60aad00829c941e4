package filetree

import "os"

func openFlags(bool) int { return os.O_RDONLY }
