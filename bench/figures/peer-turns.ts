import { answerOfStream } from '../compare/arrow.ts'
import type { LinePeer } from '../input/line-peer.ts'
import type { Question } from '../queries/question.ts'
import { median, timed } from '../report/statistics.ts'
import type { Service } from '../service/service.ts'
import { WARM_UP_MS } from '../service/warm-up.ts'
import type { Figure } from './figure.ts'
import { idle } from './memory.ts'

/** Sums are added in another order than by a peer. Relative. */
const TOLERANCE = 1e-9

/** Times of the service and of a peer, made by turns. Milliseconds. Without a peer there are none of it. */
export interface Turns {
  readonly service: readonly number[]
  readonly peer: readonly number[]
}

/** The times of one question. Throws when the answers differ. */
export async function turn(service: Service, peer: LinePeer | null, question: Question): Promise<Turns> {
  let answer: Buffer = Buffer.alloc(0)
  const ms = await timed(async () => {
    answer = await service.query({ sql: question.sql })
  })
  if (peer === null) return { service: [ms], peer: [] }
  const [count, value] = (answerOfStream(answer).batches[0] ?? []).map((column) => Number(column.get(0)))
  const mean = question.isSum ? (value ?? Number.NaN) / (count ?? 0) : (value ?? Number.NaN)
  const expected = (await peer.ask(question.request)) as { ms: number; count: number; mean: number }
  const isEqual = Math.abs(mean - expected.mean) <= TOLERANCE * Math.abs(expected.mean)
  if (count !== expected.count || !isEqual)
    throw new Error(
      `${question.sql}: ${count} values, mean ${mean}; ${peer.name}: ${expected.count}, ${expected.mean}`,
    )
  return { service: [ms], peer: [expected.ms] }
}

/** The times of all turns. */
export function together(turns: readonly Turns[]): Turns {
  return { service: turns.flatMap(({ service }) => service), peer: turns.flatMap(({ peer }) => peer) }
}

/** What a row of turns gives: the median times, and the median of the ratios of times that were taken one after the other. */
export function figuresOfTurns(
  key: string,
  what: string,
  peer: Pick<LinePeer, 'name'> | null,
  { service, peer: others }: Turns,
): Figure[] {
  const ratios = service.flatMap((ms, round) => {
    const other = others[round]
    return other === undefined ? [] : [ms / other]
  })
  return [
    { key: `${key}_service`, what, value: median(service), unit: 'ms' },
    ...(peer === null
      ? []
      : [
          {
            key: `${key}_peer`,
            what: `the same by ${peer.name}`,
            value: median(others),
            unit: 'ms',
          } as const,
        ]),
    {
      key,
      what: `${what}, against ${peer?.name ?? 'a peer that this Python does not have'}`,
      value: peer === null ? null : median(ratios),
      unit: '×',
    },
  ]
}

/** The figures of a question that is asked in each round, of which the first is not timed and has the number -1. */
export async function peerFigures(
  service: Service,
  peer: LinePeer | null,
  rounds: number,
  key: string,
  what: string,
  question: (round: number) => Question,
): Promise<Figure[]> {
  await service.ready()
  const turns = []
  for (let round = -1; round < rounds; round++) turns.push(await turn(service, peer, question(round)))
  return figuresOfTurns(key, what, peer, together(turns.slice(1)))
}

/**
 * The figures of a question in a service that is new to it, and those of one that was asked such before, as behind a dashboard. Rounds of the
 * second go on from those of the first, which are asked again and again in between.
 */
export async function newAndWarmFigures(
  service: Service,
  peer: LinePeer | null,
  rounds: number,
  key: string,
  what: string,
  question: (round: number) => Question,
): Promise<Figure[]> {
  const first = await peerFigures(service, peer, rounds, key, what, question)
  const end = performance.now() + WARM_UP_MS
  for (let asked = 0; performance.now() < end; asked++)
    await service.drain({ sql: question(asked % rounds).sql })
  const warm = `${what}, when such were asked for ${WARM_UP_MS / 1000} s`
  return [
    ...first,
    ...(await peerFigures(service, peer, rounds, `${key}_warm`, warm, (round) => question(rounds + round))),
  ]
}

/** The most resident memory of a service since its start. */
export function peak(key: string, what: string, service: Service): Figure {
  return { key: `${key}_rss`, what, value: service.peakBytes() / 1e6, unit: 'MB' }
}

/** What a service takes beyond what it takes when it is idle after a first statement, until the figure is asked for. */
export async function peakBeyond(service: Service): Promise<(key: string, what: string) => Figure> {
  await service.ready()
  await service.drain({ sql: 'SELECT 1 AS n' })
  const before = await idle(service)
  service.peakBytes()
  return (key, what) => ({
    key: `${key}_rss`,
    what: `${what}: most resident beyond an idle service`,
    value: Math.max(0, service.peakBytes() - before) / 1e6,
    unit: 'MB',
  })
}
