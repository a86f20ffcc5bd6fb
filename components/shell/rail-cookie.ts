/** Keeps whether the rail is collapsed, so that the server writes it at its width. */
export const RAIL_COOKIE = 'bw-rail';
