// Reads the language's data for dates, which all threads share. The first use of Intl would otherwise read it while the
// page is rendered, which takes a slow phone a tenth of a second.
new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }).format(0)
close()
