#include "CFuzzer.h"

// Part of libFuzzer, which is linked only if Tests/Faults/run requests it.
__attribute__((weak)) int LLVMFuzzerRunDriver(int *argc, char ***argv,
                                              int (*tryInput)(const uint8_t *, size_t));

int herald_fuzz(int argc, char **argv, int (*tryInput)(const uint8_t *, size_t)) {
  if (!LLVMFuzzerRunDriver) return -1;
  return LLVMFuzzerRunDriver(&argc, &argv, tryInput);
}
