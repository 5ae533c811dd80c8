// Go's assembler has no names for these. The operands are the numbers of the registers, in
// the order of Arm's manual: the destination d is the first. The name ends in the lanes and
// their size, as in Arm's 4S.

#define FADD_4S(d, n, m) WORD $(0x4E20D400 | (m)<<16 | (n)<<5 | (d))
#define FSUB_4S(d, n, m) WORD $(0x4EA0D400 | (m)<<16 | (n)<<5 | (d))
#define FMUL_4S(d, n, m) WORD $(0x6E20DC00 | (m)<<16 | (n)<<5 | (d))
#define FABD_4S(d, n, m) WORD $(0x6EA0D400 | (m)<<16 | (n)<<5 | (d)) // |n - m|

// Of these a NaN in either operand makes NaN.
#define FMIN_4S(d, n, m) WORD $(0x4EA0F400 | (m)<<16 | (n)<<5 | (d))
#define FMAX_4S(d, n, m) WORD $(0x4E20F400 | (m)<<16 | (n)<<5 | (d))
#define FMINV_4S(d, n) WORD $(0x6EB0F800 | (n)<<5 | (d)) // the least of the lanes

// All bits where n > m, and none elsewhere, also where one is NaN.
#define FCMGT_4S(d, n, m) WORD $(0x6EA0E400 | (m)<<16 | (n)<<5 | (d))

// FMLA_4S adds n times lane i of m to d and rounds once.
#define FMLA_4S(d, n, m, i) WORD $(0x4F801000 | ((i)&1)<<21 | (m)<<16 | ((i)>>1)<<11 | (n)<<5 | (d))

#define FADD_2D(d, n, m) WORD $(0x4E60D400 | (m)<<16 | (n)<<5 | (d))
#define FSUB_2D(d, n, m) WORD $(0x4EE0D400 | (m)<<16 | (n)<<5 | (d))
#define FMUL_2D(d, n, m) WORD $(0x6E60DC00 | (m)<<16 | (n)<<5 | (d))
#define FDIV_2D(d, n, m) WORD $(0x6E60FC00 | (m)<<16 | (n)<<5 | (d))
#define FSQRT_2D(d, n) WORD $(0x6EE1F800 | (n)<<5 | (d))
#define FMAX_2D(d, n, m) WORD $(0x4E60F400 | (m)<<16 | (n)<<5 | (d))
#define FABD_2D(d, n, m) WORD $(0x6EE0D400 | (m)<<16 | (n)<<5 | (d)) // |n - m|
#define FMAXP_2D(d, n) WORD $(0x7E70F800 | (n)<<5 | (d)) // of the two lanes
#define FADDP_2D(d, n) WORD $(0x7E70D800 | (n)<<5 | (d)) // of the two lanes
#define FCMEQ_2D(d, n, m) WORD $(0x4E60E400 | (m)<<16 | (n)<<5 | (d))
#define FCMGT_2D(d, n, m) WORD $(0x6EE0E400 | (m)<<16 | (n)<<5 | (d))

#define UABD_16B(d, n, m) WORD $(0x6E207400 | (m)<<16 | (n)<<5 | (d))  // |n - m|
#define UMULL_8H(d, n, m) WORD $(0x2E20C000 | (m)<<16 | (n)<<5 | (d))  // of the lower eight bytes
#define UMULL2_8H(d, n, m) WORD $(0x6E20C000 | (m)<<16 | (n)<<5 | (d)) // of the upper
#define UADDLP_8H(d, n) WORD $(0x6E202800 | (n)<<5 | (d))              // sums of pairs of bytes
#define SQADD_8H(d, n, m) WORD $(0x4E600C00 | (m)<<16 | (n)<<5 | (d))  // at most 2¹⁵-1
#define CMGE_8H(d, n, m) WORD $(0x4E603C00 | (m)<<16 | (n)<<5 | (d))   // all bits where n >= m
#define UMINV_8H(d, n) WORD $(0x6E71A800 | (n)<<5 | (d))               // the least of the lanes

// A bit for each of eight bytes: sums of bytes that are one of them, or 0, are masks.
#define EIGHTBITS $0x8040201008040201
