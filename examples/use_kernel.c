/* A C program that takes the fusion kernel home: y = relu(x*s + b) over 16 M floats.
 *
 *   build/release/tools/mini-opt --fuse --elim --emit=obj    -o fusion.o examples/fusion.tir
 *   build/release/tools/mini-opt --fuse --elim --emit=header -o fusion.h examples/fusion.tir
 *   cc -O2 -I. examples/use_kernel.c fusion.o -o use_kernel && ./use_kernel
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "fusion.h"

enum { kElements = 16777216, kCalls = 10 };

static double seconds(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The same in C. The product is rounded before the sum, as in the kernel. */
static float expected(float x, float s, float b) {
  volatile float product = x * s;
  float sum = product + b;
  return sum > 0.0f ? sum : 0.0f;
}

int main(void) {
  const float s = 1.5f, b = -2.0f;
  const size_t bytes = kElements * sizeof(float);
  float *x = aligned_alloc(64, bytes), *y = aligned_alloc(64, bytes);
  if (!x || !y) {
    fprintf(stderr, "no memory for two arrays of %zu MiB\n", bytes >> 20);
    return 1;
  }
  for (size_t i = 0; i < kElements; ++i)
    x[i] = (float)(i % 1000) / 100.0f - 5.0f;

  double best = 0;
  for (int call = 0; call < kCalls; ++call) {
    const double start = seconds();
    if (fusion(x, y, s, b) != 0)
      return 1;
    const double spent = seconds() - start;
    if (call == 0 || spent < best)
      best = spent;
  }

  for (size_t i = 0; i < kElements; ++i)
    if (y[i] != expected(x[i], s, b)) {
      printf("WRONG: y[%zu] is %g, not %g\n", i, y[i], expected(x[i], s, b));
      return 1;
    }
  printf("relu(%g * x + %g) over %d floats: every element right\n", s, b, kElements);
  printf("best of %d calls: %.2f ms, %.1f GB/s\n", kCalls, 1e3 * best,
         2e-9 * (double)bytes / best);
  free(x);
  free(y);
  return 0;
}
