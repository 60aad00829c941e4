//go:build !noasm

#include "textflag.h"

// The hexadecimal digits, as the bits of a Set.
DATA hex<>+0(SB)/8, $0x0858585858585808
DATA hex<>+8(SB)/8, $0x0000000000000808
GLOBL hex<>(SB), RODATA|NOPTR, $16

// The bit of each high half of an octet; none from 8 on.
DATA high<>+0(SB)/8, $0x8040201008040201
DATA high<>+8(SB)/8, $0x0000000000000000
GLOBL high<>(SB), RODATA|NOPTR, $16

DATA half<>+0(SB)/1, $0x0F
GLOBL half<>(SB), RODATA|NOPTR, $1

DATA percent<>+0(SB)/1, $0x25
GLOBL percent<>(SB), RODATA|NOPTR, $1

// func lengthAVX2(text string, bits *[16]uint8) int
TEXT ·lengthAVX2(SB), NOSPLIT, $0-32
	MOVQ text_base+0(FP), SI
	MOVQ text_len+8(FP), CX
	MOVQ bits+16(FP), DX
	VBROADCASTI128 (DX), Y1
	VBROADCASTI128 hex<>(SB), Y2
	VBROADCASTI128 high<>(SB), Y3
	VPBROADCASTB half<>(SB), Y4
	VPBROADCASTB percent<>(SB), Y5
	VPXOR Y0, Y0, Y0
	XORQ AX, AX // octets that are good

step:
	MOVQ CX, BX
	SUBQ AX, BX
	JLE end
	CMPQ BX, $32
	JGE load
	LEAQ (SI)(AX*1), DI // fewer than 32 are left: may 32 be read all the same?
	ANDQ $4095, DI
	CMPQ DI, $4064
	JA refuse

load:
	VMOVDQU (SI)(AX*1), Y6
	VPSRLW $4, Y6, Y7
	VPAND Y4, Y7, Y7
	VPSHUFB Y7, Y3, Y7 // the bit of the high half
	VPSHUFB Y6, Y1, Y8 // the bits of the low half; 0 beyond ASCII
	VPSHUFB Y6, Y2, Y9
	VPAND Y7, Y8, Y8
	VPAND Y7, Y9, Y9
	VPCMPEQB Y0, Y8, Y8
	VPCMPEQB Y0, Y9, Y9
	VPCMPEQB Y5, Y6, Y6
	VPMOVMSKB Y8, R8 // not of the set
	VPMOVMSKB Y9, R9 // no hexadecimal digit
	VPMOVMSKB Y6, R10 // percent signs
	LEAQ (R10)(R10*1), R11
	SHLQ $2, R10
	ORQ R10, R11
	ANDQ R9, R11 // no hexadecimal digit, but one or two behind a percent sign
	ORQ R8, R11
	BSFQ R11, R11
	JNZ found
	ADDQ $30, AX // the last two may begin an escape: they are looked at again
	JMP step

found:
	ADDQ R11, AX
	CMPQ AX, CX
	JLE done

end:
	MOVQ CX, AX

done:
	VZEROUPPER
	MOVQ AX, ret+24(FP)
	RET

refuse:
	VZEROUPPER
	MOVQ $-1, ret+24(FP)
	RET
