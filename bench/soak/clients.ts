import type { Agent, IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Case } from '../compare/cases.ts'
import type { Judge, Question } from '../compare/judge.ts'
import { type Answered, type Asked, ask, RefusedError } from '../service/client.ts'
import type { ChangingFiles } from './changing-files.ts'

/** How long a client that does not read waits, milliseconds. */
const PAUSE_MS = 2000

/** A client that leaves before the first byte does so after at most this long, milliseconds. */
const LEAVE_MS = 100

/** A question as it is sent. */
export interface Asking {
  readonly text: string
  readonly question: Question
}

export interface Soak {
  readonly port: number
  readonly agent: Agent
  readonly judge: Judge
  /** Queries of the benchmark over all layouts. */
  readonly cases: readonly Asking[]
  /** Answers that do not fit between a client that does not read and the service. */
  readonly large: readonly Asking[]
  /** Small ones, few: asked again and again. */
  readonly hot: readonly Asking[]
  readonly changing: ChangingFiles
  /** Milliseconds of an answer that was read and was right, by the habit. */
  took(habit: Habit, ms: number): void
  /** How many times something happened. */
  count(what: string): void
}

export type Habit = keyof typeof HABITS

/** What clients do, one turn of it. Those that read reject when an answer is wrong or refused. */
const HABITS = {
  read: (soak: Soak, turn: number) => read(soak, pick(soak.cases, turn)),
  hot: (soak: Soak, turn: number) => read(soak, pick(soak.hot, turn)),
  /** Nothing kept may be used. */
  fresh: (soak: Soak, turn: number) =>
    read(soak, pick(soak.hot, turn), { headers: { 'cache-control': 'no-store' } }),
  /** By URL, with the tag of the answer before. */
  revalidate: (soak: Soak, turn: number) => revalidate(soak, pick(soak.hot, turn)),
  witness,
  pause: (soak: Soak, turn: number) => pause(soak, pick(soak.large, turn)),
  leave,
} as const satisfies Readonly<Record<string, (soak: Soak, turn: number) => Promise<void>>>

/** One client of sixteen each, or more. */
const SHARES: readonly Habit[] = [
  ...(['leave', 'pause', 'fresh', 'revalidate', 'witness', 'witness', 'leave', 'hot'] as const),
  ...(['hot', 'hot', 'read', 'read', 'read', 'read', 'revalidate', 'witness'] as const),
]

/** Asks one query after another until the deadline (`performance.now`). */
export async function client(soak: Soak, number: number, deadline: number): Promise<void> {
  const habit = SHARES[number % SHARES.length] ?? 'read'
  for (let turn = number; performance.now() < deadline; turn++) {
    const start = performance.now()
    try {
      await HABITS[habit](soak, turn * 7 + number)
      if (habit !== 'leave' && habit !== 'pause') soak.took(habit, performance.now() - start)
    } catch (error) {
      soak.count(`FAILED ${habit}: ${error instanceof Error ? error.message : error}`)
      // Not to fill the log of a service that has ended.
      await sleep(LEAVE_MS)
    }
  }
}

async function read(soak: Soak, { text, question }: Asking, options: Partial<Asked> = {}): Promise<void> {
  const { body } = await collect(soak, { text, ...options })
  await soak.judge.right(body, question)
}

/** Answers that have a tag, by the text of the question. */
const kept = new Map<string, { readonly etag: string; readonly body: Buffer }>()

/** The body, of a 304 the one that the tag was of. */
async function byTag(soak: Soak, text: string): Promise<Buffer> {
  const before = kept.get(text)
  const headers = before === undefined ? {} : { 'if-none-match': before.etag }
  const { status, etag, body } = await collect(soak, { text, method: 'GET', headers })
  if (status === 304 && before !== undefined) {
    soak.count('answers 304')
    return before.body
  }
  if (etag === null) soak.count('answers to a GET without ETag')
  else if (etag === before?.etag && !before.body.equals(body)) throw new Error('two answers have one ETag')
  else kept.set(text, { etag, body })
  return body
}

async function revalidate(soak: Soak, { text, question }: Asking): Promise<void> {
  await soak.judge.right(await byTag(soak, text), question)
}

/** Of files that change: the answer must be one of a time between the question and its end, or there is none. */
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

/** Refused for the change itself, or broken off in the middle. */
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

/** Hangs up before the first byte or at it. */
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
  const found = all[turn % all.length]
  if (found === undefined) throw new Error('nothing to ask')
  return found
}

export function asking({ layout, query, form, sql, agreement, body }: Case): Asking {
  return {
    text: JSON.stringify(body),
    question: { name: `${layout} ${query} ${form}`, sql, agreement },
  }
}
