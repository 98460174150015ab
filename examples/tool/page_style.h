/* The look of a page. Its custom properties are the colours of figures too. */
#ifndef TOOL_PAGE_STYLE_H
#define TOOL_PAGE_STYLE_H

extern const char page_style[];

#endif
