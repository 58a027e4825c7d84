// page.c - the bytes of the page that the build made of viewer/ (LIM_PAGE_FILE), and a terminator.
#include "report/page.h"

__asm__(".pushsection .rodata\n"
        ".global lim_page\n"
        ".hidden lim_page\n"
        ".type lim_page, %object\n"
        "lim_page:\n"
        ".incbin \"" LIM_PAGE_FILE "\"\n"
        ".byte 0\n"
        ".size lim_page, . - lim_page\n"
        ".popsection\n");
