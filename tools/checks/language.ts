import { gap, getLineNumber, isPlanted, type Sources } from './sources.ts'

type Habit = { pattern: RegExp; instead: string }

/** Spaces in `words` also match the line breaks of a comment. */
function phrase(words: string, instead: string): Habit {
  return { pattern: new RegExp(String.raw`\b(?:${words.replaceAll(' ', gap)})\b`, 'gi'), instead }
}

/** One word of an identifier or a file name: `deed` matches `useDeed`, `deedOf` and `chat-deeds`, but not "indeed". */
function nameWord(word: string, instead: string, unlessAfter = ''): Habit {
  const capital = word[0]?.toUpperCase() + word.slice(1)
  const pattern = new RegExp(`(?<![a-z]${unlessAfter})${word}s?(?![a-z])|${capital}s?(?![a-z])`, 'g')
  return { pattern, instead }
}

function name(pattern: string, instead: string): Habit {
  return { pattern: new RegExp(pattern, 'g'), instead }
}

/** Words that docs/glossary.md rules out with "Not", and phrases that nobody says. */
export const habits: Habit[] = [
  nameWord('deed', 'action'),
  // The audit log's CSV file has a column "person" after "time", and programs may read it.
  nameWord('person', 'user, someone', String.raw`|third |time,|'time',\s+'`),
  nameWord('somebody', 'a user, someone'),
  nameWord('shelf', 'the thing that is stored'),
  nameWord('shelves', 'the things that are stored'),
  phrase('whoever', 'anyone who, the user who'),
  phrase('anew', 'again'),
  phrase('nobody (?:but|else than)', 'only'),
  phrase('(?:go|goes|went|going) by', 'uses, depends on'),
  phrase('stands(?! for| alone|-)', 'is'),
  phrase('(?:is|are|was|were) to be', 'must be, will be'),
  phrase('as good as', 'almost, equivalent to'),
  phrase('makes? out', 'matters, is'),
  phrase('comes? about', 'happens, is produced'),
  phrase('so many', 'the number of, up to n'),
  phrase('holds? for', 'applies to, lasts'),
  phrase('told of', 'told about, reported'),
  phrase('looked at', 'checked, read, viewed'),
  phrase('broken off', 'cancelled, interrupted'),
  phrase('seldom(?:er|ly)?', 'rarely, less often'),
  phrase('in vain', 'without effect'),
  phrase('(?:is|are) said', 'is stated, is shown'),
  phrase('rights(?! reserved|-changed)', 'permissions'),
  name('[a-z]Rights(?![a-z])|(?<![A-Za-z])rights[A-Z]|right-?[Kk]eeper', 'permissions'),
  name(
    '(?<![A-Za-z])(?:keptForTab|keptText|keptTables|kept-tables)|/kept.ts',
    'stored…, localStore, tabStore',
  ),
  name('(?<![A-Za-z])hold(?:User|Channel|Chat|Message|Document|Row|Session|Thread)s?(?![a-z])', 'lock…'),
  name(
    String.raw`[a-z]ToCome\b|[a-z]OnTheirWay\b|(?<![A-Za-z])onTheirWay\b`,
    '…Skeleton, isLoading, pending…',
  ),
  name('(?<![A-Za-z])(?:mayDoBetter|isWorthRetrying|may-do-better)', 'isRetryable'),
  name('(?<![A-Za-z])(?:fetchedPart|fetched-part|onUnavailable)', 'lazyComponent, onLoadError'),
  name('(?<![A-Za-z])(?:enterLook|enter-look|enteredOf)', 'auditRead, auditSnapshot'),
  name('(?<![A-Za-z])standAgain|(?<![A-Za-z])stand-again', 'restoreApprovedVersion'),
  name('entomb', 'anonymize'),
  name(String.raw`/words\.tsx?$|-words\.tsx?`, '*-labels.ts, tokens'),
]

/** Pages that quote the words on purpose, the notes of earlier releases, and a field name in stored audit entries. */
const exempt = [
  'docs/glossary.md',
  'CHANGELOG.md',
  'tools/checks/language.ts',
  'server/src/features/test-bench/test-questions.ts',
  // Contains a prompt, and a changed prompt needs an evaluation run.
  'server/src/providers/assistant/turns.ts',
]

/** Names each use of a word or phrase that the glossary rules out, in texts, names and paths. */
export function findHabits(sources: Sources): string[] {
  return [...sources].flatMap(([path, text]) => {
    if (isPlanted(path) || exempt.includes(path)) return []
    return habits.flatMap(({ pattern, instead }) => [
      ...[...`/${path}`.matchAll(pattern)].map(
        ([found]) => `${path}: "${found}" in its name (better: ${instead})`,
      ),
      ...[...text.matchAll(pattern)].map(
        ({ 0: found, index }) =>
          `${path}:${getLineNumber(text, index)}: "${found.replace(/\s+/g, ' ')}" (better: ${instead})`,
      ),
    ])
  })
}
