/** The class of what lies between a dialog or drawer and the page. */
export const backdropStyle = 'fading fixed inset-0 bg-slate-950/45 dark:bg-slate-950/65'
