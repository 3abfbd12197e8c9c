import type { OdvPlan, OdvTextPlan } from '../../../../plan/output/odv-plan.ts'
import type { RunStations } from '../../../../plan/output/odv-stations.ts'
import type { EncodedAnswer, EncodeTask } from '../../../../plan/task/file-tasks.ts'
import type { Part } from '../../../../plan/task/part.ts'
import { type Field, valueType } from '../../../../plan/types/schema.ts'
import type { Delivery } from '../../deliver.ts'
import { sortedParts } from '../../sort/sorted-parts.ts'
import type { TempFolder } from '../../temp/temp-folder.ts'
import { encodedRuns } from '../encoded-file.ts'
import type { RunLimits } from '../row-runs.ts'
import { createStationOrder, type RunBorders } from './order-stations.ts'
import { createWaitingRuns } from './waiting-runs.ts'

/** A run is text of some MiB, which a worker writes and deflates in about 100 ms. */
const RUN_LIMITS: RunLimits = Object.freeze({ rows: 32_768, bytes: 4 << 20 })

/** The most bytes of rows in memory whose station may still go on. */
const WAITING_BYTES = 32 << 20

/** Runs whose text is written ahead. */
const MOST_AHEAD = 4

/** Sorts the rows of a delivery, finds their stations, and has workers write the text of run after run. */
export async function* runTexts(
  plan: OdvPlan,
  delivery: Delivery,
  folder: TempFolder,
): AsyncGenerator<EncodedAnswer, void, undefined> {
  const fields = fieldsOf(plan, delivery.schema.fields)
  const ahead: Promise<EncodedAnswer>[] = []
  for await (const { parts, borders } of borderedRuns(plan, fields, delivery, folder)) {
    const text = write({ kind: 'odv_text', odv: plan, ...borders }, fields, parts, delivery)
    // Awaited later, or never if the query fails. Until then a rejection must not count as unhandled.
    text.catch(() => {})
    ahead.push(text)
    const oldest = ahead.length > MOST_AHEAD ? ahead.shift() : undefined
    if (oldest !== undefined) yield await oldest
  }
  for (const text of ahead) yield await text
}

interface BorderedRun {
  readonly parts: readonly Part[]
  readonly borders: RunBorders
}

/** The runs of the sorted rows in their order, each as soon as it is known how its last station goes on. */
async function* borderedRuns(
  plan: OdvPlan,
  fields: readonly Field[],
  delivery: Delivery,
  folder: TempFolder,
): AsyncGenerator<BorderedRun, void, undefined> {
  const parts = sortedRows(plan, delivery, folder)
  const sorted = { ...delivery, parts, schema: { ...delivery.schema, fields } }
  const stations = createStationOrder()
  const waiting = createWaitingRuns(folder, WAITING_BYTES)
  async function* borderedRuns(all: readonly RunBorders[]): AsyncGenerator<BorderedRun, void, undefined> {
    for (const borders of all) yield { parts: await waiting.shift(), borders }
  }
  try {
    for await (const { chunks, summary } of encodedRuns(
      sorted,
      { kind: 'odv_stations', odv: plan },
      RUN_LIMITS,
    )) {
      const run: RunStations = JSON.parse(Buffer.from(summary).toString())
      await waiting.push(partsOf(run, chunks))
      yield* borderedRuns(stations.add(run))
    }
    yield* borderedRuns(stations.rest())
  } finally {
    await waiting.close()
  }
}

/** The rows of a delivery by key, time and depth, with the columns of the plan. */
function sortedRows(
  { columns, order }: OdvPlan,
  { parts, schema: { fields }, ticket, workers, onAnswer }: Delivery,
  folder: TempFolder,
): AsyncGenerator<Part, void, undefined> {
  const types = columns.flatMap((column) => valueTypes(fields[column]))
  const finish = { grouping: null, order, output: columns, isCounted: false }
  const ending = { finish, offset: 0, limit: Number.POSITIVE_INFINITY, types }
  return sortedParts(parts, { fields, ending }, { ticket, workers, folder, encoding: 'arrow', onAnswer })
}

/** The columns of sorted rows. */
function fieldsOf({ columns }: OdvPlan, fields: readonly Field[]): readonly Field[] {
  return columns.flatMap((column) => {
    const field = fields[column]
    return field === undefined ? [] : [{ ...field, type: valueType(field.type) }]
  })
}

function valueTypes(field: Field | undefined): Field['type'][] {
  return field === undefined ? [] : [valueType(field.type)]
}

function partsOf({ batches }: RunStations, chunks: readonly ArrayBuffer[]): Part[] {
  return batches.flatMap(({ rows, metadataBytes }, index) => {
    const bytes = chunks[index]
    if (bytes === undefined) return []
    return [{ rows, from: 0, payload: { kind: 'arrow', bytes, metadataBytes, dictionaries: [] } }]
  })
}

async function write(
  plan: OdvTextPlan,
  fields: readonly Field[],
  parts: readonly Part[],
  { ticket, onAnswer }: Delivery,
): Promise<EncodedAnswer> {
  const rows = parts.reduce((sum, part) => sum + part.rows, 0)
  const task: EncodeTask = { kind: 'encode', plan, fields, parts, from: 0, rows, cancel: ticket.cancel }
  const { answer, queueMs } = await ticket.run<EncodedAnswer>(task)
  onAnswer(answer, queueMs)
  return answer
}
