#pragma once
#include <stddef.h>
#include <stdint.h>

/// Gives `tryInput` one input after the other, as the arguments of libFuzzer tell, and returns its
/// status; -1 where the program was built without libFuzzer.
int herald_fuzz(int argc, char **argv, int (*tryInput)(const uint8_t *, size_t));
