// page.h - the page that viewer/ is bundled into, without data.
#ifndef LIM_REPORT_PAGE_H
#define LIM_REPORT_PAGE_H

extern const char lim_page[]; // terminated

#endif
