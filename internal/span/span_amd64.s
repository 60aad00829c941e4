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

// LENGTH measures DI bytes at SI with the Set at DX. It leaves the length in AX and goes to "plain" if it cannot.
#define LENGTH \
	VBROADCASTI128 (DX), Y1; \
	VBROADCASTI128 hex<>(SB), Y2; \
	VBROADCASTI128 high<>(SB), Y3; \
	VPBROADCASTB half<>(SB), Y4; \
	VPBROADCASTB percent<>(SB), Y5; \
	VPXOR Y0, Y0, Y0; \
	XORQ AX, AX; /* octets that are good */ \
	MOVQ $63, BX; \
step: \
	MOVQ DI, CX; /* octets that are left */ \
	SUBQ AX, CX; \
	JEQ done; \
	CMPQ CX, $32; \
	JGE load; \
	LEAQ (SI)(AX*1), R12; /* fewer than are read: do those behind lie on another page, which may not be there? */ \
	ANDQ $4095, R12; \
	CMPQ R12, $4064; \
	JA leave; \
load: \
	VMOVDQU (SI)(AX*1), Y6; \
	VPSRLW $4, Y6, Y7; \
	VPAND Y4, Y7, Y7; \
	VPSHUFB Y7, Y3, Y7; /* the bit of the high half */ \
	VPSHUFB Y6, Y1, Y8; /* the bits of the low half; 0 beyond ASCII */ \
	VPSHUFB Y6, Y2, Y9; \
	VPAND Y7, Y8, Y8; \
	VPAND Y7, Y9, Y9; \
	VPCMPEQB Y0, Y8, Y8; \
	VPCMPEQB Y0, Y9, Y9; \
	VPCMPEQB Y5, Y6, Y6; \
	VPMOVMSKB Y8, R8; /* not of the set */ \
	VPMOVMSKB Y9, R9; /* no hexadecimal digit */ \
	VPMOVMSKB Y6, R10; /* "%" */ \
	CMPQ CX, BX; \
	CMOVQGT BX, CX; \
	MOVQ $-1, R11; \
	SHLQ CX, R11; /* behind the text */ \
	ORQ R11, R8; \
	ORQ R11, R9; \
	MOVQ R9, R11; \
	SHRQ $1, R9; \
	SHRQ $2, R11; \
	ORQ R9, R11; \
	ANDQ R10, R11; /* "%" without two hexadecimal digits */ \
	ORQ R8, R11; \
	BSFL R11, R11; \
	JNE found; \
	ADDQ $30, AX; /* the last two may be "%": they are looked at again */ \
	JMP step; \
found: \
	ADDQ R11, AX; \
done: \
	VZEROUPPER

// func length(text string, s *Set) int
TEXT ·length(SB), NOSPLIT, $0-32
	CMPB ·hasAVX2(SB), $1
	JNE plain
	MOVQ text_base+0(FP), SI
	MOVQ text_len+8(FP), DI
	MOVQ s+16(FP), DX
	LENGTH
	MOVQ AX, ret+24(FP)
	RET

leave:
	VZEROUPPER

plain:
	JMP ·portableString(SB)

// func lengthBytes(text []byte, s *Set) int
TEXT ·lengthBytes(SB), NOSPLIT, $0-40
	CMPB ·hasAVX2(SB), $1
	JNE plain
	MOVQ text_base+0(FP), SI
	MOVQ text_len+8(FP), DI
	MOVQ s+24(FP), DX
	LENGTH
	MOVQ AX, ret+32(FP)
	RET

leave:
	VZEROUPPER

plain:
	JMP ·portableBytes(SB)
