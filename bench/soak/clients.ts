import type { Agent, IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Case } from '../compare/cases.ts'
import type { Judge, Question } from '../compare/judge.ts'
import { type Answered, type Asked, ask, RefusedError } from '../service/client.ts'
import type { ChangingFiles } from './changing-files.ts'

/** How long a client pauses that does not read. Milliseconds. */
const PAUSE_MS = 2000

/** The latest time at which a client hangs up before the first byte. Milliseconds after its request. */
const LEAVE_MS = 100

/** A query as it is sent, and the question whose answer is right. */
export interface Asking {
  readonly text: string
  readonly question: Question
}

export interface Soak {
  readonly port: number
  readonly agent: Agent
  readonly judge: Judge
  /** The queries of the benchmark over all layouts. */
  readonly cases: readonly Asking[]
  /** Queries whose answers are larger than the buffers between the service and a client. */
  readonly large: readonly Asking[]
  /** A few small queries, which are sent again and again. */
  readonly hot: readonly Asking[]
  readonly changing: ChangingFiles
  /** Records the milliseconds of an answer that was right. */
  took(habit: Habit, ms: number): void
  /** Counts an event. */
  count(what: string): void
}

export type Habit = keyof typeof HABITS

/** What clients do with one query. Those that read an answer reject when it is wrong or refused. */
const HABITS = {
  read: (soak: Soak, turn: number) => read(soak, pick(soak.cases, turn)),
  hot: (soak: Soak, turn: number) => read(soak, pick(soak.hot, turn)),
  /** Without the use of caches. */
  fresh: (soak: Soak, turn: number) =>
    read(soak, pick(soak.hot, turn), { headers: { 'cache-control': 'no-store' } }),
  /** By URL, with the tag of the last answer. */
  revalidate: (soak: Soak, turn: number) => revalidate(soak, pick(soak.hot, turn)),
  witness,
  pause: (soak: Soak, turn: number) => pause(soak, pick(soak.large, turn)),
  leave,
} as const satisfies Readonly<Record<string, (soak: Soak, turn: number) => Promise<void>>>

/** The habits of sixteen clients. Further clients repeat them. */
const SHARES: readonly Habit[] = [
  ...(['leave', 'pause', 'fresh', 'revalidate', 'witness', 'witness', 'leave', 'hot'] as const),
  ...(['hot', 'hot', 'read', 'read', 'read', 'read', 'revalidate', 'witness'] as const),
]

/** Sends one query after another until a time of `performance.now`. */
export async function client(soak: Soak, number: number, deadline: number): Promise<void> {
  const habit = SHARES[number % SHARES.length] ?? 'read'
  for (let turn = number; performance.now() < deadline; turn++) {
    const start = performance.now()
    try {
      await HABITS[habit](soak, turn * 7 + number)
      if (habit !== 'leave' && habit !== 'pause') soak.took(habit, performance.now() - start)
    } catch (error) {
      soak.count(`FAILED ${habit}: ${error instanceof Error ? error.message : error}`)
      // If the service has ended, every query fails at once, and would fill the log.
      await sleep(LEAVE_MS)
    }
  }
}

async function read(soak: Soak, { text, question }: Asking, options: Partial<Asked> = {}): Promise<void> {
  const { body } = await collect(soak, { text, ...options })
  await soak.judge.right(body, question)
}

/** The last answers with a tag, by the text of the query. */
const taggedAnswers = new Map<string, { readonly etag: string; readonly body: Buffer }>()

/** The body of an answer, which for a 304 is that of the answer before. */
async function byTag(soak: Soak, text: string): Promise<Buffer> {
  const before = taggedAnswers.get(text)
  const headers = before === undefined ? {} : { 'if-none-match': before.etag }
  const { status, etag, body } = await collect(soak, { text, method: 'GET', headers })
  if (status === 304 && before !== undefined) {
    soak.count('answers 304')
    return before.body
  }
  if (etag === null) soak.count('answers to a GET without ETag')
  else if (etag === before?.etag && !before.body.equals(body)) throw new Error('two answers have one ETag')
  else taggedAnswers.set(text, { etag, body })
  return body
}

async function revalidate(soak: Soak, { text, question }: Asking): Promise<void> {
  await soak.judge.right(await byTag(soak, text), question)
}

/** Queries files that change. The answer has to be that of some time between request and end, or be refused. */
async function witness(soak: Soak, turn: number): Promise<void> {
  const asked = pick(soak.changing.questions, turn)
  const begun = performance.now()
  let body: Buffer
  try {
    body = turn % 2 === 0 ? await byTag(soak, asked.text) : (await collect(soak, { text: asked.text })).body
  } catch (error) {
    if (!isOfChange(error)) throw error
    soak.count('refused, as a file was being changed')
    return
  }
  await soak.judge.right(body, ...soak.changing.valid(asked, begun, performance.now()))
}

/** Whether an error is due to a change of the files: a refusal that says so, or a broken connection. */
function isOfChange(error: unknown): boolean {
  if (error instanceof RefusedError)
    return /ask again|changed while|removed while|became shorter|cannot be read|No file matched|not a Parquet file/.test(
      error.message,
    )
  return error instanceof Error && 'code' in error && error.code === 'ECONNRESET'
}

async function pause(soak: Soak, { text, question }: Asking): Promise<void> {
  const { body } = await collect(soak, { text }, (response) => {
    response.pause()
    setTimeout(() => response.resume(), PAUSE_MS)
  })
  await soak.judge.right(body, question)
}

/** Hangs up before or at the first byte. */
async function leave(soak: Soak, turn: number): Promise<void> {
  const leaving = new AbortController()
  if (turn % 2 === 0) setTimeout(() => leaving.abort(), (turn * 31) % LEAVE_MS)
  try {
    await collect(soak, { text: pick(soak.large, turn).text, signal: leaving.signal }, () => leaving.abort())
  } catch (error) {
    if (!leaving.signal.aborted) throw error
    soak.count('answers left in the middle')
  }
}

async function collect(
  { agent, port }: Soak,
  asked: Omit<Asked, 'agent' | 'port'>,
  onFirst: (response: IncomingMessage) => void = () => {},
): Promise<Answered & { readonly body: Buffer }> {
  const chunks: Buffer[] = []
  const answered = await ask({ agent, port, ...asked }, (chunk, response) => {
    if (chunks.push(chunk) === 1) onFirst(response)
  })
  return { ...answered, body: Buffer.concat(chunks) }
}

function pick<T>(all: readonly T[], turn: number): T {
  const choice = all[turn % all.length]
  if (choice === undefined) throw new Error('nothing to ask')
  return choice
}

export function asking({ layout, query, form, sql, agreement, body }: Case): Asking {
  return {
    text: JSON.stringify(body),
    question: { name: `${layout} ${query} ${form}`, sql, agreement },
  }
}
