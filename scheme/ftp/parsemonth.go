package ftp

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// months are the names of the months in the languages of servers, as ls abbreviates them and in
// full, in lower case and between spaces. A word that means different months in two languages is
// left out.
var months = [12]string{
	" jan january januar janvier janv jän jänner enero ene gennaio gen gener januari janeiro tammi stycznia sty leden led január ianuarie ian ocak oca janúar jaan jaanuar sau saus sausio sij urt shk ιαν ян яну янв января січ студз ",
	" feb february februar février févr fév febrero febbraio febrer februari fevereiro fev helmi lutego lut únor úno február febr februarie şubat şub febrúar veebr veebruar vas vasario velj ots φεβ фев февр февраля лют ",
	" mar march märz mär mrz mars marzo març maart mrt março maalis marca březen bře március márc martie mart märts kov kovo ožu μαρ μάρ мар март марта бер сак ",
	" apr april avril avr abril abr aprile aprilie huhti kwietnia kwi duben dub április ápr nisan nis apríl bal balandžio tra api pri απρ апр апреля кві крас ",
	" may mai mayo maggio mag maig mei maj maio touko maja květen kvě május máj mayıs maí geg gegužės svi μαι μαΐ μάι май мая тра ",
	" jun june juni juin junio giugno giu juny junho kesä czerwca cze čen čvn június jún iunie iun haziran haz júní juuni bir birž birželio eka qer ιουν ιούν июн июнь июня юни чер чэрв ",
	" jul july juli juillet juil julio luglio lug juliol julho heinä lipca čec čvc július júl iulie iul temmuz tem júlí juuli lie liep liepos uzt korr ιουλ ιούλ июл июль июля юли лип ліп ",
	" aug august août aoû agosto ago agost augustus augusti elo sierpnia sie augusztus ağustos ağu ágú ágúst avg agu rgp rugp rugpjūčio gush abu αυγ αύγ авг августа сер жні ",
	" sep sept september septembre septiembre settembre setembre set sett setembro syys września wrz září zář szeptember szept septembrie eylül eyl rgs rugs rugsėjo ruj sht ira σεπ сен сент сеп сентября вер ",
	" oct october oktober okt octobre octubre ottobre ott outubro out loka października paź říjen říj október octombrie ekim eki spa spal spalio tet urr οκτ окт октября жов кас ",
	" nov november novembre noviembre novembro marras noiembrie kasım kas nóv nóvember lap lapkr lapkričio nën aza νοε νοέ ноя нояб ное ноября лис ліст ",
	" dec december dezember dez décembre déc diciembre dic dicembre desembre dezembro joulu grudnia gru prosinec pro des desember decembrie aralık ara dets detsember grd gruod gruodžio dhj abe δεκ дек декабря гру снеж ",
}

// charsets are the older character sets of servers whose months are not in ASCII.
var charsets = [...]*charmap.Charmap{charmap.ISO8859_1, charmap.ISO8859_2, charmap.ISO8859_5, charmap.ISO8859_7, charmap.ISO8859_9,
	charmap.ISO8859_13, charmap.Windows1250, charmap.Windows1251, charmap.KOI8R, charmap.CodePage850, charmap.CodePage852, charmap.CodePage866}

// monthNumber returns the number of a month by its name. It returns 0 if s is not a month, or may
// be different ones in different character sets.
func monthNumber(s string) int {
	s = strings.TrimRight(s, ".,")
	found := monthNamed(s)
	if found > 0 || len(s) > maxMonth || !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return found
	}
	for _, c := range charsets {
		text, _ := c.NewDecoder().String(s)
		m := monthNamed(text)
		if m > 0 && found > 0 && m != found {
			return 0
		}
		found = max(found, m)
	}
	return found
}

// maxMonth is the number of bytes of the longest name.
const maxMonth = 24

func monthNamed(s string) int {
	if len(s) < 3 || len(s) > maxMonth || strings.Contains(s, " ") {
		return 0
	}
	s = " " + strings.ToLower(s) + " "
	for i := range months {
		if strings.Contains(months[i], s) {
			return i + 1
		}
	}
	return 0
}
