#include <stdio.h>

int main(void)
{
    puts("strandline " STRANDLINE_VERSION);
    return 0;
}
