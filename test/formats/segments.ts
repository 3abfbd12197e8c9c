import { type Segment, segmentsOf } from '../../src/plan/source/segments.ts'
import type { OpenContext, OpenFile } from '../../src/workers/formats/provider.ts'
import { memorySource } from './source.ts'

const NOTHING = memorySource(new Uint8Array())

/** The segments of a file of rows, which are the same whichever columns are read, and are known without reading. */
export function segmentsIn(file: OpenFile): readonly Segment[] {
  return segmentsOf(file.segments([], NOTHING, {} as OpenContext))
}
