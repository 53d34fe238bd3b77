/** The icon of the pages, as SVG: money that goes there and back. */
export const FAVICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="7" fill="#14532d"/>
<path d="M7 12h14l-4-4M25 20H11l4 4" fill="none" stroke="#fff" stroke-width="3"
stroke-linecap="round" stroke-linejoin="round"/></svg>
`;

/** Path of the icon, which the pages link to. */
export const FAVICON_PATH = "/_sim/favicon.svg";
