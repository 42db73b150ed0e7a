import { createRequire } from 'node:module'

/** Loads the library only when there is a word to stem, because it needs about 1 MB of memory. */
function createStemmer(language: KnownLanguage) {
  const snowball: typeof import('snowball-stemmers').default = createRequire(import.meta.url)(
    'snowball-stemmers',
  )
  return snowball.newStemmer(language)
}

// Stop words, which identify the language of a text but not its subject.
const stopWordLists = {
  english: `a about above after again all also am an and any are as at be because been before being below between both but by
can could did do does doing down during each few for from further get had has have having he her here hers him his how i if in
into is it its itself just let many may me might more most much must my no nor not of off on once only or other our ours out over
own please same shall she should so some such tell than that the their theirs them then there these they this those through to too
under until up upon us very was we were what when where whether which while who whom whose why will with would you your yours`,
  german: `aber alle als am an auch auf aus bei bin bis bist da damit das dass dein dem den der des dich die dies diese dieser dir doch
dort du durch ein eine einem einen einer eines er es euch euer für gibt habe haben hat hatte hier ich ihm ihn ihnen ihr ihre im in
ist ja jede jeder kann kein keine können man mein mich mir mit muss müssen nach nicht noch nur ob oder ohne sehr sein seine sich sie
sind so soll über um und uns unser unter viel viele vom von vor wann war waren warum was welche welcher wenn wer werden wie wieviel
wir wird wo zu zum zur`,
  french: `à ai au aux avec avez avons ce ces cet cette combien comme comment dans de des dois doit donc du elle elles en entre est et
été être eux fait il ils je la le les leur leurs lui ma mais me mes moi mon ne nos notre nous on ont ou où par pas peut plus pour
pourquoi qu quand que quel quelle quelles quels qui quoi sa sans se ses si son sont sur ta te tes ton tu un une vos votre vous y`,
  spanish: `a al algo como con cual cuando cuándo cuánto cuántos cuál de del desde donde dónde el él ella ellos en entre era es esa ese
eso esta está están este esto fue ha hay la las le les lo los más me mi mis muy nada no nos o para pero por porque puede puedo que
qué quien quién se ser si sí sin sobre son su sus también te tiene tienen tu un una uno unos y ya yo`,
  italian: `a ad agli ai al alla alle allo anche c che chi ci come con cosa cui da dai dal dalla dalle degli dei del della delle dello di
dove e è ed era fra gli ha hanno ho i il in io la le lei li lo loro lui ma mi mia mio ne nei nel nella nelle noi non o per perché
più può quale quali quando quanti quanto questa questo se sei si sia sono su sua sul sulla suo tra tu un una uno vi voi`,
  portuguese: `a ao aos as até com como da das de dela dele do dos e é ela ele em entre era essa esse está este eu foi há isso já lhe mais
mas me meu minha muito na não nas nem no nos nós o onde os ou para pela pelo pode por porque posso qual quando quantos que quem são se
sem ser seu seus só sua suas também te tem têm um uma você`,
  dutch: `aan al als bij dan dat de der deze die dit door een en er geen haar had heb hebben heeft het hier hij hoe hoeveel ik in is je kan
kunnen maar me meer men met mijn moet na naar niet nog nu of om omdat onder ons ook op over te tot u uit van veel voor waar waarom was
wat we welke werd wie wij wordt worden ze zich zij zijn zo zou`,
  swedish: `alla att av blir de dem den denna det detta dig din du efter eller en ett finns för från får ha han har hon hur i inte jag kan man
med mellan men mig min mot mycket många ni när och om oss på sig sin ska som så till under upp ut utan vad var vara vara vi vid vilka
vilken är`,
  russian: `а без был была были было быть в вам вас весь во вот все всех вы где для до его ее если есть еще же за и из или им их к как какая
какие какой когда кто ли мне можно мой мы на над не него нет ни но ну о об он она они от по под почему при с сколько со так также там те
то того тоже только ты у уже чего чем что чтобы эта эти это этот я`,
}

export type Language = keyof typeof stopWordLists | 'other'
type KnownLanguage = keyof typeof stopWordLists

const knownLanguages = Object.keys(stopWordLists) as KnownLanguage[]
const stopWords = Object.fromEntries(
  knownLanguages.map((language) => [language, new Set(stopWordLists[language].split(/\s+/))]),
) as Record<KnownLanguage, Set<string>>

const minShare = 0.12
const minHits = 3

/** Detects the language by stop words; 'other' if none is clear. */
export function detectLanguage(
  words: readonly string[],
  candidates: readonly Language[] = knownLanguages,
): Language {
  let best: Language = 'other'
  let bestHits = 0
  for (const language of candidates) {
    if (language === 'other') continue
    const hits = words.reduce((count, word) => count + (stopWords[language].has(word) ? 1 : 0), 0)
    if (hits > bestHits) [best, bestHits] = [language, hits]
  }
  return bestHits >= minHits && bestHits >= words.length * minShare ? best : 'other'
}

/** Without a language no word is a stop word. */
export function isStopWord(word: string, language: Language): boolean {
  return language !== 'other' && stopWords[language].has(word)
}

const cacheSize = 20_000
const caches = new Map<KnownLanguage, { stem: (word: string) => string; seen: Map<string, string> }>()

export function stemWord(word: string, language: Language): string {
  if (language === 'other') return word
  let cache = caches.get(language)
  if (!cache) {
    const stemmer = createStemmer(language)
    cache = { stem: (own) => stemmer.stem(own), seen: new Map() }
    caches.set(language, cache)
  }
  const seen = cache.seen.get(word)
  if (seen !== undefined) return seen
  const stem = cache.stem(word)
  if (cache.seen.size >= cacheSize) cache.seen.clear()
  cache.seen.set(word, stem)
  return stem
}
