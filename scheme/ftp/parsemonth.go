package ftp

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// months are the names of the months in the languages of servers, as ls abbreviates them and in full, in lower case and between
// spaces. A word that means different months in two languages is left out.
var months = [12]string{
	" jan january januar janvier janv enero ene gennaio gen januari janeiro tammi stycznia sty leden led január ianuarie ian ocak oca января янв січ ",
	" feb february februar février févr fév febrero febbraio februari fevereiro fev helmi lutego lut únor úno február febr februarie şubat şub февраля фев лют ",
	" mar march märz mär mrz mars marzo maart mrt março maalis marca březen bře március márc martie mart марта мар бер ",
	" apr april avril avr abril abr aprile aprilie huhti kwietnia kwi duben dub április ápr nisan nis апреля апр кві ",
	" may mai mayo maggio mag mei maj maio touko maja květen kvě május máj mayıs мая май тра ",
	" jun june juni juin junio giugno giu junho kesä czerwca cze čen čvn június jún iunie iun haziran haz июня июн чер ",
	" jul july juli juillet juil julio luglio lug julho heinä lipca čec čvc július júl iulie iul temmuz tem июля июл ",
	" aug august août aoû agosto ago augustus augusti elo sierpnia sie augusztus ağustos ağu августа авг ",
	" sep sept september septembre septiembre settembre set sett setembro syys września wrz září zář szeptember szept septembrie eylül eyl сентября сен вер ",
	" oct october oktober okt octobre octubre ottobre ott outubro out loka października paź říjen říj október octombrie ekim eki октября окт жов ",
	" nov november novembre noviembre novembro marras noiembrie kasım kas ноября ноя ",
	" dec december dezember dez décembre déc diciembre dic dicembre dezembro joulu grudnia gru prosinec pro des desember decembrie aralık ara декабря дек ",
}

// charsets are the older character sets of servers whose months are not in ASCII.
var charsets = [...]*charmap.Charmap{charmap.ISO8859_1, charmap.ISO8859_2, charmap.Windows1251, charmap.KOI8R, charmap.CodePage866}

// monthNumber returns the number of a month by its name. It returns 0 if s is none, or may be different ones in different
// character sets.
func monthNumber(s string) int {
	s = strings.TrimRight(s, ".,")
	if utf8.ValidString(s) {
		return monthNamed(s)
	}
	found := 0
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
