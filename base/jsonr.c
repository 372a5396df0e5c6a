#include "base/jsonr.h"
