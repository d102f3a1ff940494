# int fusion(const float *x, float *out, float s, float b): 963 bytes of code for avx512
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
	mov          rsi, qword ptr [rdi]                  # addresses of buffers
	mov          rbx, qword ptr [rdi+8]                # addresses of buffers
	mov          rax, qword ptr [rdi+16]               # %s
	vmovss       xmm1, dword ptr [rax]                 # %s
	mov          rax, qword ptr [rdi+24]               # %b
	vmovss       xmm0, dword ptr [rax]                 # %b
	vpbroadcastd zmm10, xmm1                           # loop d0
	vpbroadcastd zmm9, xmm0                            # loop d0
	vpxord       zmm6, zmm6, zmm6                      # loop d0
	xor          edx, edx                              # loop d0
	lea          rcx, [rbx+rdx*4]                      # loop d0
	neg          rcx                                   # loop d0
	and          rcx, 63                               # loop d0
	test         rcx, 3                                # loop d0
	{disp32} jnz .L1                                   # loop d0
	shr          rcx, 2                                # loop d0
	test         rcx, rcx                              # loop d0
	{disp32} jz  .L2                                   # loop d0
	xor          eax, eax                              # loop d0
	bts          rax, rcx                              # loop d0
	dec          rax                                   # loop d0
	kmovw        k2, eax                               # loop d0
	vmovups      zmm0{k2}{z}, zmmword ptr [rsi+rdx*4]  # %in = load x
	vmulps       zmm0, zmm0, zmm10                     # %m = arith.mulf %in, %s
	vaddps       zmm0, zmm0, zmm9                      # %a = arith.addf %m, %b
	vrangeps     zmm1, zmm0, zmm6, 5                   # %r = arith.maximumf %a, %zero
	vcmpps       k1, zmm0, zmm6, 3                     # %r = arith.maximumf %a, %zero
	vaddps       zmm1{k1}, zmm0, zmm6                  # %r = arith.maximumf %a, %zero
	vmovups      zmmword ptr [rbx+rdx*4]{k2}, zmm1     # store %r, out
	add          rdx, rcx                              # loop d0
.L2:
	cmp          rdx, 16777152                         # loop d0
	{disp32} jg  .L3                                   # loop d0
	{disp32} nop word ptr [rax+rax]                    # to a multiple of 32
	{disp32} nop word ptr [rax+rax]                    # to a multiple of 32
	{disp8} nop word ptr [rax+rax]                     # to a multiple of 32
.L4:
	vmovups      zmm2, zmmword ptr [rsi+rdx*4]         # %in = load x
	vmovups      zmm1, zmmword ptr [rsi+rdx*4+64]      # %in = load x
	vmovups      zmm0, zmmword ptr [rsi+rdx*4+128]     # %in = load x
	vmovups      zmm3, zmmword ptr [rsi+rdx*4+192]     # %in = load x
	vmulps       zmm4, zmm2, zmm10                     # %m = arith.mulf %in, %s
	vmulps       zmm2, zmm1, zmm10                     # %m = arith.mulf %in, %s
	vmulps       zmm0, zmm0, zmm10                     # %m = arith.mulf %in, %s
	vmulps       zmm1, zmm3, zmm10                     # %m = arith.mulf %in, %s
	vaddps       zmm3, zmm4, zmm9                      # %a = arith.addf %m, %b
	vaddps       zmm2, zmm2, zmm9                      # %a = arith.addf %m, %b
	vaddps       zmm0, zmm0, zmm9                      # %a = arith.addf %m, %b
	vaddps       zmm1, zmm1, zmm9                      # %a = arith.addf %m, %b
	vrangeps     zmm8, zmm3, zmm6, 5                   # %r = arith.maximumf %a, %zero
	vrangeps     zmm7, zmm2, zmm6, 5                   # %r = arith.maximumf %a, %zero
	vrangeps     zmm5, zmm0, zmm6, 5                   # %r = arith.maximumf %a, %zero
	vrangeps     zmm4, zmm1, zmm6, 5                   # %r = arith.maximumf %a, %zero
	vcmpps       k3, zmm3, zmm6, 3                     # %r = arith.maximumf %a, %zero
	vcmpps       k4, zmm2, zmm6, 3                     # %r = arith.maximumf %a, %zero
	vcmpps       k1, zmm0, zmm6, 3                     # %r = arith.maximumf %a, %zero
	vcmpps       k2, zmm1, zmm6, 3                     # %r = arith.maximumf %a, %zero
	vaddps       zmm8{k3}, zmm3, zmm6                  # %r = arith.maximumf %a, %zero
	vaddps       zmm7{k4}, zmm2, zmm6                  # %r = arith.maximumf %a, %zero
	vaddps       zmm5{k1}, zmm0, zmm6                  # %r = arith.maximumf %a, %zero
	vaddps       zmm4{k2}, zmm1, zmm6                  # %r = arith.maximumf %a, %zero
	vmovntps     zmmword ptr [rbx+rdx*4], zmm8         # store %r, out
	vmovntps     zmmword ptr [rbx+rdx*4+64], zmm7      # store %r, out
	vmovntps     zmmword ptr [rbx+rdx*4+128], zmm5     # store %r, out
	vmovntps     zmmword ptr [rbx+rdx*4+192], zmm4     # store %r, out
	add          rdx, 64                               # loop d0
	cmp          rdx, 16777152                         # loop d0
	{disp32} jle .L4                                   # loop d0
.L3:
	cmp          rdx, 16777200                         # loop d0
	{disp32} jg  .L5                                   # loop d0
	{disp8} nop dword ptr [rax]                        # to a multiple of 32
.L6:
	vmovups      zmm0, zmmword ptr [rsi+rdx*4]         # %in = load x
	vmulps       zmm0, zmm0, zmm10                     # %m = arith.mulf %in, %s
	vaddps       zmm0, zmm0, zmm9                      # %a = arith.addf %m, %b
	vrangeps     zmm1, zmm0, zmm6, 5                   # %r = arith.maximumf %a, %zero
	vcmpps       k1, zmm0, zmm6, 3                     # %r = arith.maximumf %a, %zero
	vaddps       zmm1{k1}, zmm0, zmm6                  # %r = arith.maximumf %a, %zero
	vmovntps     zmmword ptr [rbx+rdx*4], zmm1         # store %r, out
	add          rdx, 16                               # loop d0
	cmp          rdx, 16777200                         # loop d0
	jle          .L6                                   # loop d0
.L5:
	{disp32} jmp .L7                                   # loop d0
.L1:
	cmp          rdx, 16777152                         # loop d0
	{disp32} jg  .L8                                   # loop d0
	{disp32} nop word ptr [rax+rax]                    # to a multiple of 32
	{disp32} nop word ptr [rax+rax]                    # to a multiple of 32
	nop                                                # to a multiple of 32
.L9:
	vmovups      zmm1, zmmword ptr [rsi+rdx*4]         # %in = load x
	vmovups      zmm2, zmmword ptr [rsi+rdx*4+64]      # %in = load x
	vmovups      zmm3, zmmword ptr [rsi+rdx*4+128]     # %in = load x
	vmovups      zmm0, zmmword ptr [rsi+rdx*4+192]     # %in = load x
	vmulps       zmm1, zmm1, zmm10                     # %m = arith.mulf %in, %s
	vmulps       zmm4, zmm2, zmm10                     # %m = arith.mulf %in, %s
	vmulps       zmm2, zmm3, zmm10                     # %m = arith.mulf %in, %s
	vmulps       zmm0, zmm0, zmm10                     # %m = arith.mulf %in, %s
	vaddps       zmm5, zmm1, zmm9                      # %a = arith.addf %m, %b
	vaddps       zmm3, zmm4, zmm9                      # %a = arith.addf %m, %b
	vaddps       zmm1, zmm2, zmm9                      # %a = arith.addf %m, %b
	vaddps       zmm0, zmm0, zmm9                      # %a = arith.addf %m, %b
	vrangeps     zmm8, zmm5, zmm6, 5                   # %r = arith.maximumf %a, %zero
	vrangeps     zmm2, zmm3, zmm6, 5                   # %r = arith.maximumf %a, %zero
	vrangeps     zmm7, zmm1, zmm6, 5                   # %r = arith.maximumf %a, %zero
	vrangeps     zmm4, zmm0, zmm6, 5                   # %r = arith.maximumf %a, %zero
	vcmpps       k4, zmm5, zmm6, 3                     # %r = arith.maximumf %a, %zero
	vcmpps       k3, zmm3, zmm6, 3                     # %r = arith.maximumf %a, %zero
	vcmpps       k2, zmm1, zmm6, 3                     # %r = arith.maximumf %a, %zero
	vcmpps       k1, zmm0, zmm6, 3                     # %r = arith.maximumf %a, %zero
	vaddps       zmm8{k4}, zmm5, zmm6                  # %r = arith.maximumf %a, %zero
	vaddps       zmm2{k3}, zmm3, zmm6                  # %r = arith.maximumf %a, %zero
	vaddps       zmm7{k2}, zmm1, zmm6                  # %r = arith.maximumf %a, %zero
	vaddps       zmm4{k1}, zmm0, zmm6                  # %r = arith.maximumf %a, %zero
	vmovups      zmmword ptr [rbx+rdx*4], zmm8         # store %r, out
	vmovups      zmmword ptr [rbx+rdx*4+64], zmm2      # store %r, out
	vmovups      zmmword ptr [rbx+rdx*4+128], zmm7     # store %r, out
	vmovups      zmmword ptr [rbx+rdx*4+192], zmm4     # store %r, out
	add          rdx, 64                               # loop d0
	cmp          rdx, 16777152                         # loop d0
	{disp32} jle .L9                                   # loop d0
.L8:
.L7:
	cmp          rdx, 16777200                         # loop d0
	{disp32} jg  .L10                                  # loop d0
	{disp8} nop dword ptr [rax]                        # to a multiple of 32
.L11:
	vmovups      zmm0, zmmword ptr [rsi+rdx*4]         # %in = load x
	vmulps       zmm0, zmm0, zmm10                     # %m = arith.mulf %in, %s
	vaddps       zmm0, zmm0, zmm9                      # %a = arith.addf %m, %b
	vrangeps     zmm1, zmm0, zmm6, 5                   # %r = arith.maximumf %a, %zero
	vcmpps       k1, zmm0, zmm6, 3                     # %r = arith.maximumf %a, %zero
	vaddps       zmm1{k1}, zmm0, zmm6                  # %r = arith.maximumf %a, %zero
	vmovups      zmmword ptr [rbx+rdx*4], zmm1         # store %r, out
	add          rdx, 16                               # loop d0
	cmp          rdx, 16777200                         # loop d0
	jle          .L11                                  # loop d0
.L10:
	mov          rcx, 16777216                         # loop d0
	sub          rcx, rdx                              # loop d0
	test         rcx, rcx                              # loop d0
	{disp32} jz  .L12                                  # loop d0
	xor          eax, eax                              # loop d0
	bts          rax, rcx                              # loop d0
	dec          rax                                   # loop d0
	kmovw        k2, eax                               # loop d0
	vmovups      zmm0{k2}{z}, zmmword ptr [rsi+rdx*4]  # %in = load x
	vmulps       zmm0, zmm0, zmm10                     # %m = arith.mulf %in, %s
	vaddps       zmm0, zmm0, zmm9                      # %a = arith.addf %m, %b
	vrangeps     zmm1, zmm0, zmm6, 5                   # %r = arith.maximumf %a, %zero
	vcmpps       k1, zmm0, zmm6, 3                     # %r = arith.maximumf %a, %zero
	vaddps       zmm1{k1}, zmm0, zmm6                  # %r = arith.maximumf %a, %zero
	vmovups      zmmword ptr [rbx+rdx*4]{k2}, zmm1     # store %r, out
	add          rdx, rcx                              # loop d0
.L12:
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
