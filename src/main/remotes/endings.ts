import { COPY_MAGIC } from '../../plan/copy/copy-file.ts'
import type { RemoteAddress } from './remote-client.ts'

/** What an Arrow IPC stream ends with: a continuation marker, and a length of 0. */
const ARROW_ENDING = new Uint8Array([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0])

const COPY_ENDING = new Uint8Array(Buffer.from(COPY_MAGIC))

/** The last bytes of whatever a remote answers. Bytes that end otherwise are cut short. */
export function endingOf({ kind }: Pick<RemoteAddress, 'kind'>): Uint8Array {
  return kind === 'postgres' ? COPY_ENDING : ARROW_ENDING
}
