# int fusion(const float *x, float *out, float s, float b): 1156 bytes of code for avx2
	.intel_syntax noprefix
	.text
	.balign 64, 0xcc
	.globl fusion
	.type fusion, @function
fusion:
	push         rbp
	mov          rbp, rsp
	sub          rsp, 48
	mov          qword ptr [rsp], rdi
	mov          qword ptr [rsp+8], rsi
	vmovsd       qword ptr [rsp+32], xmm0
	lea          rax, [rsp+32]
	mov          qword ptr [rsp+16], rax
	vmovsd       qword ptr [rsp+40], xmm1
	lea          rax, [rsp+40]
	mov          qword ptr [rsp+24], rax
	mov          rdi, rsp
	call         fusion.entry
	mov          rsp, rbp
	pop          rbp
	ret
	.size fusion, . - fusion

	.balign 16, 0xcc
	.type fusion.entry, @function
fusion.entry:
	push         rbp
	mov          rbp, rsp
	push         rbx
	push         r12
	push         r13
	push         r14
	push         r15
	mov          rbx, qword ptr [rdi]                  # addresses of buffers
	mov          rdx, qword ptr [rdi+8]                # addresses of buffers
	mov          rax, qword ptr [rdi+16]               # %s
	vmovss       xmm1, dword ptr [rax]                 # %s
	mov          rax, qword ptr [rdi+24]               # %b
	vmovss       xmm0, dword ptr [rax]                 # %b
	vpbroadcastd ymm14, xmm1                           # loop d0
	vpbroadcastd ymm13, xmm0                           # loop d0
	vpxor        ymm12, ymm12, ymm12                   # loop d0
	xor          eax, eax                              # loop d0
	lea          rcx, [rdx+rax*4]                      # loop d0
	neg          rcx                                   # loop d0
	and          rcx, 31                               # loop d0
	test         rcx, 3                                # loop d0
	{disp32} jnz .L1                                   # loop d0
	shr          rcx, 2                                # loop d0
	test         rcx, 4                                # loop d0
	{disp32} jz  .L2                                   # loop d0
	vmovups      xmm0, xmmword ptr [rbx+rax*4]         # %in = load x
	vmulps       xmm0, xmm0, xmm14                     # %m = arith.mulf %in, %s
	vaddps       xmm0, xmm0, xmm13                     # %a = arith.addf %m, %b
	vmaxps       xmm2, xmm0, xmm12                     # %r = arith.maximumf %a, %zero
	vmaxps       xmm0, xmm12, xmm0                     # %r = arith.maximumf %a, %zero
	vxorps       xmm1, xmm2, xmm0                      # %r = arith.maximumf %a, %zero
	vorps        xmm0, xmm2, xmm1                      # %r = arith.maximumf %a, %zero
	vsubps       xmm0, xmm0, xmm1                      # %r = arith.maximumf %a, %zero
	vmovups      xmmword ptr [rdx+rax*4], xmm0         # store %r, out
	add          rax, 4                                # loop d0
.L2:
	test         rcx, 2                                # loop d0
	{disp32} jz  .L3                                   # loop d0
	vmovsd       xmm0, qword ptr [rbx+rax*4]           # %in = load x
	vmulps       xmm0, xmm0, xmm14                     # %m = arith.mulf %in, %s
	vaddps       xmm0, xmm0, xmm13                     # %a = arith.addf %m, %b
	vmaxps       xmm2, xmm0, xmm12                     # %r = arith.maximumf %a, %zero
	vmaxps       xmm0, xmm12, xmm0                     # %r = arith.maximumf %a, %zero
	vxorps       xmm1, xmm2, xmm0                      # %r = arith.maximumf %a, %zero
	vorps        xmm0, xmm2, xmm1                      # %r = arith.maximumf %a, %zero
	vsubps       xmm0, xmm0, xmm1                      # %r = arith.maximumf %a, %zero
	vmovsd       qword ptr [rdx+rax*4], xmm0           # store %r, out
	add          rax, 2                                # loop d0
.L3:
	test         rcx, 1                                # loop d0
	{disp32} jz  .L4                                   # loop d0
	vmovss       xmm0, dword ptr [rbx+rax*4]           # %in = load x
	vmulps       xmm0, xmm0, xmm14                     # %m = arith.mulf %in, %s
	vaddps       xmm0, xmm0, xmm13                     # %a = arith.addf %m, %b
	vmaxps       xmm2, xmm0, xmm12                     # %r = arith.maximumf %a, %zero
	vmaxps       xmm0, xmm12, xmm0                     # %r = arith.maximumf %a, %zero
	vxorps       xmm1, xmm2, xmm0                      # %r = arith.maximumf %a, %zero
	vorps        xmm0, xmm2, xmm1                      # %r = arith.maximumf %a, %zero
	vsubps       xmm0, xmm0, xmm1                      # %r = arith.maximumf %a, %zero
	vmovss       dword ptr [rdx+rax*4], xmm0           # store %r, out
	add          rax, 1                                # loop d0
.L4:
	cmp          rax, 16777184                         # loop d0
	{disp32} jg  .L5                                   # loop d0
	{disp32} nop word ptr [rax+rax]                    # to a multiple of 32
	{disp32} nop word ptr [rax+rax]                    # to a multiple of 32
	nop dword ptr [rax]                                # to a multiple of 32
.L6:
	vmovups      ymm3, ymmword ptr [rbx+rax*4]         # %in = load x
	vmovups      ymm1, ymmword ptr [rbx+rax*4+32]      # %in = load x
	vmovups      ymm2, ymmword ptr [rbx+rax*4+64]      # %in = load x
	vmovups      ymm0, ymmword ptr [rbx+rax*4+96]      # %in = load x
	vmulps       ymm4, ymm3, ymm14                     # %m = arith.mulf %in, %s
	vmulps       ymm3, ymm1, ymm14                     # %m = arith.mulf %in, %s
	vmulps       ymm1, ymm2, ymm14                     # %m = arith.mulf %in, %s
	vmulps       ymm0, ymm0, ymm14                     # %m = arith.mulf %in, %s
	vaddps       ymm2, ymm4, ymm13                     # %a = arith.addf %m, %b
	vaddps       ymm4, ymm3, ymm13                     # %a = arith.addf %m, %b
	vaddps       ymm1, ymm1, ymm13                     # %a = arith.addf %m, %b
	vaddps       ymm5, ymm0, ymm13                     # %a = arith.addf %m, %b
	vmaxps       ymm8, ymm2, ymm12                     # %r = arith.maximumf %a, %zero
	vmaxps       ymm10, ymm4, ymm12                    # %r = arith.maximumf %a, %zero
	vmaxps       ymm11, ymm1, ymm12                    # %r = arith.maximumf %a, %zero
	vmaxps       ymm9, ymm5, ymm12                     # %r = arith.maximumf %a, %zero
	vmaxps       ymm3, ymm12, ymm2                     # %r = arith.maximumf %a, %zero
	vmaxps       ymm0, ymm12, ymm4                     # %r = arith.maximumf %a, %zero
	vmaxps       ymm1, ymm12, ymm1                     # %r = arith.maximumf %a, %zero
	vmaxps       ymm2, ymm12, ymm5                     # %r = arith.maximumf %a, %zero
	vxorps       ymm4, ymm8, ymm3                      # %r = arith.maximumf %a, %zero
	vxorps       ymm7, ymm10, ymm0                     # %r = arith.maximumf %a, %zero
	vxorps       ymm6, ymm11, ymm1                     # %r = arith.maximumf %a, %zero
	vxorps       ymm5, ymm9, ymm2                      # %r = arith.maximumf %a, %zero
	vorps        ymm0, ymm8, ymm4                      # %r = arith.maximumf %a, %zero
	vorps        ymm2, ymm10, ymm7                     # %r = arith.maximumf %a, %zero
	vorps        ymm3, ymm11, ymm6                     # %r = arith.maximumf %a, %zero
	vorps        ymm1, ymm9, ymm5                      # %r = arith.maximumf %a, %zero
	vsubps       ymm4, ymm0, ymm4                      # %r = arith.maximumf %a, %zero
	vsubps       ymm2, ymm2, ymm7                      # %r = arith.maximumf %a, %zero
	vsubps       ymm3, ymm3, ymm6                      # %r = arith.maximumf %a, %zero
	vsubps       ymm0, ymm1, ymm5                      # %r = arith.maximumf %a, %zero
	vmovntps     ymmword ptr [rdx+rax*4], ymm4         # store %r, out
	vmovntps     ymmword ptr [rdx+rax*4+32], ymm2      # store %r, out
	vmovntps     ymmword ptr [rdx+rax*4+64], ymm3      # store %r, out
	vmovntps     ymmword ptr [rdx+rax*4+96], ymm0      # store %r, out
	add          rax, 32                               # loop d0
	cmp          rax, 16777184                         # loop d0
	{disp32} jle .L6                                   # loop d0
.L5:
	cmp          rax, 16777208                         # loop d0
	{disp32} jg  .L7                                   # loop d0
	{disp32} nop word ptr [rax+rax]                    # to a multiple of 32
	{disp32} nop word ptr [rax+rax]                    # to a multiple of 32
	{disp32} nop dword ptr [rax+rax]                   # to a multiple of 32
.L8:
	vmovups      ymm0, ymmword ptr [rbx+rax*4]         # %in = load x
	vmulps       ymm0, ymm0, ymm14                     # %m = arith.mulf %in, %s
	vaddps       ymm0, ymm0, ymm13                     # %a = arith.addf %m, %b
	vmaxps       ymm2, ymm0, ymm12                     # %r = arith.maximumf %a, %zero
	vmaxps       ymm0, ymm12, ymm0                     # %r = arith.maximumf %a, %zero
	vxorps       ymm1, ymm2, ymm0                      # %r = arith.maximumf %a, %zero
	vorps        ymm0, ymm2, ymm1                      # %r = arith.maximumf %a, %zero
	vsubps       ymm0, ymm0, ymm1                      # %r = arith.maximumf %a, %zero
	vmovntps     ymmword ptr [rdx+rax*4], ymm0         # store %r, out
	add          rax, 8                                # loop d0
	cmp          rax, 16777208                         # loop d0
	jle          .L8                                   # loop d0
.L7:
	{disp32} jmp .L9                                   # loop d0
.L1:
	cmp          rax, 16777184                         # loop d0
	{disp32} jg  .L10                                  # loop d0
	{disp32} nop word ptr [rax+rax]                    # to a multiple of 32
	{disp32} nop word ptr [rax+rax]                    # to a multiple of 32
	{disp32} nop dword ptr [rax+rax]                   # to a multiple of 32
.L11:
	vmovups      ymm1, ymmword ptr [rbx+rax*4]         # %in = load x
	vmovups      ymm3, ymmword ptr [rbx+rax*4+32]      # %in = load x
	vmovups      ymm0, ymmword ptr [rbx+rax*4+64]      # %in = load x
	vmovups      ymm2, ymmword ptr [rbx+rax*4+96]      # %in = load x
	vmulps       ymm1, ymm1, ymm14                     # %m = arith.mulf %in, %s
	vmulps       ymm3, ymm3, ymm14                     # %m = arith.mulf %in, %s
	vmulps       ymm0, ymm0, ymm14                     # %m = arith.mulf %in, %s
	vmulps       ymm2, ymm2, ymm14                     # %m = arith.mulf %in, %s
	vaddps       ymm4, ymm1, ymm13                     # %a = arith.addf %m, %b
	vaddps       ymm1, ymm3, ymm13                     # %a = arith.addf %m, %b
	vaddps       ymm0, ymm0, ymm13                     # %a = arith.addf %m, %b
	vaddps       ymm5, ymm2, ymm13                     # %a = arith.addf %m, %b
	vmaxps       ymm9, ymm4, ymm12                     # %r = arith.maximumf %a, %zero
	vmaxps       ymm11, ymm1, ymm12                    # %r = arith.maximumf %a, %zero
	vmaxps       ymm10, ymm0, ymm12                    # %r = arith.maximumf %a, %zero
	vmaxps       ymm8, ymm5, ymm12                     # %r = arith.maximumf %a, %zero
	vmaxps       ymm2, ymm12, ymm4                     # %r = arith.maximumf %a, %zero
	vmaxps       ymm3, ymm12, ymm1                     # %r = arith.maximumf %a, %zero
	vmaxps       ymm0, ymm12, ymm0                     # %r = arith.maximumf %a, %zero
	vmaxps       ymm1, ymm12, ymm5                     # %r = arith.maximumf %a, %zero
	vxorps       ymm7, ymm9, ymm2                      # %r = arith.maximumf %a, %zero
	vxorps       ymm6, ymm11, ymm3                     # %r = arith.maximumf %a, %zero
	vxorps       ymm4, ymm10, ymm0                     # %r = arith.maximumf %a, %zero
	vxorps       ymm5, ymm8, ymm1                      # %r = arith.maximumf %a, %zero
	vorps        ymm1, ymm9, ymm7                      # %r = arith.maximumf %a, %zero
	vorps        ymm0, ymm11, ymm6                     # %r = arith.maximumf %a, %zero
	vorps        ymm3, ymm10, ymm4                     # %r = arith.maximumf %a, %zero
	vorps        ymm2, ymm8, ymm5                      # %r = arith.maximumf %a, %zero
	vsubps       ymm1, ymm1, ymm7                      # %r = arith.maximumf %a, %zero
	vsubps       ymm0, ymm0, ymm6                      # %r = arith.maximumf %a, %zero
	vsubps       ymm3, ymm3, ymm4                      # %r = arith.maximumf %a, %zero
	vsubps       ymm2, ymm2, ymm5                      # %r = arith.maximumf %a, %zero
	vmovups      ymmword ptr [rdx+rax*4], ymm1         # store %r, out
	vmovups      ymmword ptr [rdx+rax*4+32], ymm0      # store %r, out
	vmovups      ymmword ptr [rdx+rax*4+64], ymm3      # store %r, out
	vmovups      ymmword ptr [rdx+rax*4+96], ymm2      # store %r, out
	add          rax, 32                               # loop d0
	cmp          rax, 16777184                         # loop d0
	{disp32} jle .L11                                  # loop d0
.L10:
.L9:
	cmp          rax, 16777208                         # loop d0
	{disp32} jg  .L12                                  # loop d0
	{disp32} nop word ptr [rax+rax]                    # to a multiple of 32
	{disp32} nop word ptr [rax+rax]                    # to a multiple of 32
	{disp32} nop dword ptr [rax+rax]                   # to a multiple of 32
.L13:
	vmovups      ymm0, ymmword ptr [rbx+rax*4]         # %in = load x
	vmulps       ymm0, ymm0, ymm14                     # %m = arith.mulf %in, %s
	vaddps       ymm0, ymm0, ymm13                     # %a = arith.addf %m, %b
	vmaxps       ymm2, ymm0, ymm12                     # %r = arith.maximumf %a, %zero
	vmaxps       ymm0, ymm12, ymm0                     # %r = arith.maximumf %a, %zero
	vxorps       ymm1, ymm2, ymm0                      # %r = arith.maximumf %a, %zero
	vorps        ymm0, ymm2, ymm1                      # %r = arith.maximumf %a, %zero
	vsubps       ymm0, ymm0, ymm1                      # %r = arith.maximumf %a, %zero
	vmovups      ymmword ptr [rdx+rax*4], ymm0         # store %r, out
	add          rax, 8                                # loop d0
	cmp          rax, 16777208                         # loop d0
	jle          .L13                                  # loop d0
.L12:
	mov          rcx, 16777216                         # loop d0
	sub          rcx, rax                              # loop d0
	test         rcx, 4                                # loop d0
	{disp32} jz  .L14                                  # loop d0
	vmovups      xmm0, xmmword ptr [rbx+rax*4]         # %in = load x
	vmulps       xmm0, xmm0, xmm14                     # %m = arith.mulf %in, %s
	vaddps       xmm0, xmm0, xmm13                     # %a = arith.addf %m, %b
	vmaxps       xmm2, xmm0, xmm12                     # %r = arith.maximumf %a, %zero
	vmaxps       xmm0, xmm12, xmm0                     # %r = arith.maximumf %a, %zero
	vxorps       xmm1, xmm2, xmm0                      # %r = arith.maximumf %a, %zero
	vorps        xmm0, xmm2, xmm1                      # %r = arith.maximumf %a, %zero
	vsubps       xmm0, xmm0, xmm1                      # %r = arith.maximumf %a, %zero
	vmovups      xmmword ptr [rdx+rax*4], xmm0         # store %r, out
	add          rax, 4                                # loop d0
.L14:
	test         rcx, 2                                # loop d0
	{disp32} jz  .L15                                  # loop d0
	vmovsd       xmm0, qword ptr [rbx+rax*4]           # %in = load x
	vmulps       xmm0, xmm0, xmm14                     # %m = arith.mulf %in, %s
	vaddps       xmm0, xmm0, xmm13                     # %a = arith.addf %m, %b
	vmaxps       xmm2, xmm0, xmm12                     # %r = arith.maximumf %a, %zero
	vmaxps       xmm0, xmm12, xmm0                     # %r = arith.maximumf %a, %zero
	vxorps       xmm1, xmm2, xmm0                      # %r = arith.maximumf %a, %zero
	vorps        xmm0, xmm2, xmm1                      # %r = arith.maximumf %a, %zero
	vsubps       xmm0, xmm0, xmm1                      # %r = arith.maximumf %a, %zero
	vmovsd       qword ptr [rdx+rax*4], xmm0           # store %r, out
	add          rax, 2                                # loop d0
.L15:
	test         rcx, 1                                # loop d0
	{disp32} jz  .L16                                  # loop d0
	vmovss       xmm0, dword ptr [rbx+rax*4]           # %in = load x
	vmulps       xmm0, xmm0, xmm14                     # %m = arith.mulf %in, %s
	vaddps       xmm0, xmm0, xmm13                     # %a = arith.addf %m, %b
	vmaxps       xmm2, xmm0, xmm12                     # %r = arith.maximumf %a, %zero
	vmaxps       xmm0, xmm12, xmm0                     # %r = arith.maximumf %a, %zero
	vxorps       xmm1, xmm2, xmm0                      # %r = arith.maximumf %a, %zero
	vorps        xmm0, xmm2, xmm1                      # %r = arith.maximumf %a, %zero
	vsubps       xmm0, xmm0, xmm1                      # %r = arith.maximumf %a, %zero
	vmovss       dword ptr [rdx+rax*4], xmm0           # store %r, out
	add          rax, 1                                # loop d0
.L16:
	sfence                                             # loop d0
	xor          eax, eax
	vzeroupper
	lea          rsp, [rbp-40]
	pop          r15
	pop          r14
	pop          r13
	pop          r12
	pop          rbx
	pop          rbp
	ret
	.size fusion.entry, . - fusion.entry

	.section .note.GNU-stack, "", @progbits
