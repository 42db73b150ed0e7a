/** Words that carry grammar rather than content, in the languages the checks of an answer are likely to meet. */
const stopWords = new Set(
  (
    'a about all also am an and any are as at be because been but by can could did do does for from had has have he ' +
    'her here him his how i if in into is it its just may me might more most must my no nor not of on or our out ' +
    'over per shall she should so some such than that the their them then there these they this those to too under ' +
    'up us was we were what when where which while who whom whose why will with within would yes you your ' +
    'according answer document documents please say says source sources tell ' +
    'aber als am an auch auf aus bei bis das dass dem den der des ein eine einem einen einer es für ich im ' +
    'in ist kann man mit nach nicht oder sich sie sind und um von vor was wenn wer wie wird wo zu zum zur über ' +
    'au aux avec ce ces cette dans de du elle en est et il ils je la le les leur mais ne nous ou par que ' +
    'qui quel quelle sa se ses sont sur un une vous ' +
    'como con cuál del el ella ellos esta este hay las lo los más muy para pero por qué su sus una uno y'
  ).split(' '),
)

const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
const vowel = /[aeiouyäöüáéíóúàèìòùâêîôû]/

/** Cuts the commonest endings, so that the forms of one word meet; it need not find the true stem. */
const stem = (word: string): string => {
  if (word.length < 4 || /\d/.test(word)) return word
  let cut = word
  if (/ies$/.test(cut)) cut = `${cut.slice(0, -3)}y`
  else if (/(?:ss|x|ch|sh)es$/.test(cut)) cut = cut.slice(0, -2)
  else if (/[^su]s$/.test(cut)) cut = cut.slice(0, -1)
  const shorter = cut.replace(/(?:ments?|ations?|ings?|edly|ed|ions?|ly)$/, '')
  if (shorter.length >= 3 && vowel.test(shorter)) cut = shorter
  cut = cut.replace(/([bdgklmnprt])\1$/, '$1')
  return cut.length > 4 ? cut.replace(/[ey]$/, '') : cut
}

const pairs = (text: string): string[] => {
  const letters = [...text]
  return letters.length < 2 ? letters : letters.slice(1).map((letter, at) => `${letters[at] ?? ''}${letter}`)
}

export const wordsOf = (text: string): string[] =>
  text.normalize('NFKC').match(/[\p{L}\p{M}\p{N}]+(?:['’][\p{L}]+)*/gu) ?? []

/** The content words of a text, folded; scripts without spaces give pairs of letters. */
export const termsOf = (text: string): string[] =>
  wordsOf(text.toLowerCase()).flatMap((raw) => {
    const [head = '', tail = ''] = raw.split(/['’]/)
    const word = head.length <= 2 && tail.length > 2 ? tail : head
    if (word === '' || stopWords.has(word)) return []
    return dense.test(word) ? pairs(word) : [stem(word)]
  })
