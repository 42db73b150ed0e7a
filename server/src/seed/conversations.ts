import type { ChannelName } from './channels.ts'
import type { MemberName } from './users.ts'

/** A question and the reply of a model. `state` says how an incomplete reply ended. */
export interface Turn {
  question: string
  reply: string
  state?: 'complete' | 'stopped' | 'interrupted' | 'failed'
  /** An earlier reply, which the user had regenerated. */
  earlierReply?: string
}

export interface Conversation {
  channel: ChannelName
  member: MemberName
  title: string | null
  turns: readonly Turn[]
}

const beam: Conversation = {
  channel: 'desk',
  member: 'yuki',
  title: 'Deflection of the new beam',
  turns: [
    {
      question:
        'How far does a steel beam of 1.2 m sag under 80 kg spread evenly? Section 40 × 20 × 2 mm, lying flat.',
      reply: `For a beam on two supports under an even load the largest deflection is in the middle:

$$\\delta_{max} = \\frac{5\\,q\\,L^4}{384\\,E\\,I}$$

1. Load: $q = \\frac{80 \\cdot 9.81}{1.2} \\approx 654\\ \\mathrm{N/m}$
2. Second moment of area of the hollow section, lying flat:
   $I = \\frac{40 \\cdot 20^3 - 36 \\cdot 16^3}{12} \\approx 14\\,379\\ \\mathrm{mm^4}$
3. Steel: $E = 210\\,000\\ \\mathrm{N/mm^2}$

With $q = 0.654\\ \\mathrm{N/mm}$ and $L = 1200\\ \\mathrm{mm}$:

$$\\delta_{max} = \\frac{5 \\cdot 0.654 \\cdot 1200^4}{384 \\cdot 210\\,000 \\cdot 14\\,379} \\approx 5.8\\ \\mathrm{mm}$$

That is about **L/200**: strong enough, but visible.`,
    },
    {
      question: 'And standing upright?',
      reply: `Then height and width swap:

$$I = \\frac{20 \\cdot 40^3 - 16 \\cdot 36^3}{12} \\approx 44\\,459\\ \\mathrm{mm^4}$$

The deflection falls in the same ratio, $5.8 \\cdot \\frac{14\\,379}{44\\,459} \\approx$ **1.9 mm**.`,
    },
  ],
}

const script: Conversation = {
  channel: 'desk',
  member: 'linh',
  title: 'Merging the sensor files',
  turns: [
    {
      question:
        'I have 31 CSV files from the climate chamber, one a day. How do I get the hourly mean into one table?',
      reply: `This reads them all, keeps the sensor's name and takes the mean by hour:

\`\`\`python
from pathlib import Path
import pandas as pd

frames = [
    pd.read_csv(path, parse_dates=["time"]).assign(day=path.stem)
    for path in sorted(Path("chamber").glob("*.csv"))
]
hourly = (
    pd.concat(frames)
    .set_index("time")
    .groupby("sensor")["celsius"]
    .resample("1h")
    .mean()
    .unstack("sensor")
)
hourly.to_csv("hourly.csv", float_format="%.2f")
\`\`\`

Hours without a reading stay empty; add \`.interpolate(limit=2)\` before the last line to bridge up to two of them.`,
    },
    {
      question: 'Which of pandas, polars and plain SQL would you use if it grows to a few gigabytes?',
      earlierReply: 'It depends on what you know already. All three can do it.',
      reply: `| | pandas | polars | SQL (DuckDB) |
|---|---|---|---|
| Reads larger files than memory | no | yes, lazily | yes |
| Uses all cores | no | yes | yes |
| Effort to change the script | none | about an hour | rewrite as one query |
| Good when | it fits in memory | the steps are a pipeline | colleagues should read it |

For a few gigabytes I would use **DuckDB**: the query is shorter than the script, and it reads the files where they are.`,
    },
    {
      question: 'Write the query.',
      reply: `\`\`\`sql
COPY (
  PIVOT (
    SELECT date_trunc('hour', time) AS hour, sensor, avg(celsius) AS mean
    FROM read_csv('chamber/*.csv')
    GROUP BY ALL
  ) ON sensor USING first(mean)
  ORDER BY hour
) TO 'hourly.csv' (HEADER);
\`\`\``,
    },
  ],
}

const broken: Conversation = {
  channel: 'desk',
  member: 'kwame',
  title: null,
  turns: [
    {
      question: 'Explain how a three-phase motor is started with star-delta, for an apprentice.',
      reply: `A large motor that is switched on directly briefly draws five to seven times its usual current. Star-delta starting avoids that in two steps:

1. **Star.** The windings are joined so that each sees only $\\frac{400}{\\sqrt{3}} \\approx 230$ volts. Current and torque are a third of`,
      state: 'interrupted',
    },
  ],
}

const stopped: Conversation = {
  channel: 'workshop',
  member: 'oleksandra',
  title: 'Labels for the drill presses',
  turns: [
    {
      question: 'Draft twenty short warnings for the drill presses.',
      reply:
        '1. Clamp the work, never hold it.\n2. Take the chuck key out before you switch on.\n3. No gloves at the spindle.\n4.',
      state: 'stopped',
    },
    {
      question: 'Three are enough, thank you. Translate them into Ukrainian.',
      reply:
        '1. Закріплюйте деталь, не тримайте її руками.\n2. Вийміть ключ патрона перед увімкненням.\n3. Не працюйте біля шпинделя в рукавицях.',
    },
    { question: 'And into Polish?', reply: '', state: 'failed' },
  ],
}

const reading: Conversation = {
  channel: 'library',
  member: 'layla',
  title: 'خطة القراءة لهذا الشهر',
  turns: [
    {
      question: 'اقترح لنا خطة لقراءة كتاب من ٢٤٠ صفحة خلال أربعة أسابيع، مع موعدين للنقاش.',
      reply: `إليك خطة بمعدل **٦٠ صفحة في الأسبوع**:

| الأسبوع | الصفحات | ملاحظة |
|---|---|---|
| الأول | ١–٦٠ | قراءة فردية |
| الثاني | ٦١–١٢٠ | نقاش أول، ٤٥ دقيقة |
| الثالث | ١٢١–١٨٠ | قراءة فردية |
| الرابع | ١٨١–٢٤٠ | نقاش ختامي، ساعة |

يكفي أن يقرأ كل شخص نحو عشر صفحات في اليوم، ويبقى يوم للراحة.`,
    },
    {
      question: 'شكرًا. اكتب دعوة قصيرة باللغتين العربية والإنجليزية.',
      reply: `نلتقي يوم الأربعاء عند الثانية عشرة والنصف لنناقش النصف الأول من الكتاب. القهوة علينا.

> We meet on Wednesday at 12:30 to talk about the first half of the book. Coffee is on us.`,
    },
  ],
}

const quick: Conversation = {
  channel: 'library',
  member: 'linh',
  title: null,
  turns: [
    {
      question: 'Chào bạn! “Deadline” dịch sang tiếng Việt thế nào cho tự nhiên?',
      reply: 'Trong văn bản công việc, **“hạn chót”** là tự nhiên nhất; lịch sự hơn thì dùng **“thời hạn”**.',
    },
  ],
}

/** Replies as models would have written them. They are inserted as rows, without calling a model. */
export const conversations: readonly Conversation[] = [beam, script, broken, stopped, reading, quick]

export interface QuestionSet {
  channel: ChannelName
  member: MemberName
  questions: readonly string[]
}

/** Questions that seeding sends to the server. They get extractive replies, so that their citations lead to documents. */
export const questionSets: readonly QuestionSet[] = [
  {
    channel: 'policies',
    member: 'layla',
    questions: [
      'How many days of vacation do I have?',
      'How many of them can I carry over into the next year?',
      'How big is the bonus this year?',
    ],
  },
  {
    channel: 'policies',
    member: 'zsofia',
    questions: [
      'What is the daily allowance for a trip to Japan?',
      'By when do I have to hand in my travel claim?',
    ],
  },
  {
    channel: 'workshop',
    member: 'kwame',
    questions: ['Which gloves do I need for epoxy resin?', 'Where is the meeting point after an alarm?'],
  },
]
