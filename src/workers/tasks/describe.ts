import type { DescribedAnswer, DescribeTask } from '../../plan/task/task.ts'
import type { MetadataParsers } from '../formats/metadata-parsers.ts'
import { cancelCheck } from '../store/cancel.ts'
import { createStopwatch } from '../store/stopwatch.ts'
import type { OpenStore } from '../store/store.ts'

/** Parses the metadata of a file with the parser of its format. */
export async function describe(
  { format, file, areContentsWanted = false, cancel }: DescribeTask,
  parsers: MetadataParsers,
  open: OpenStore,
): Promise<DescribedAnswer> {
  const check = cancelCheck(cancel)
  check()
  const parser = Object.hasOwn(parsers, format.kind) ? parsers[format.kind] : undefined
  if (parser === undefined) throw new TypeError(`nothing parses the metadata of the format "${format.kind}"`)
  const stopwatch = createStopwatch()
  using store = open(file, stopwatch)
  const metadata = await parser(store, check, areContentsWanted)
  return { kind: 'described', metadata, metrics: stopwatch.metrics() }
}
