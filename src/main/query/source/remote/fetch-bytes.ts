import { ServiceError } from '../../../../plan/errors.ts'
import type { FetchedBytes } from '../../../../plan/source/fetched-bytes.ts'
import type { FileRef } from '../../../../plan/source/file.ts'
import type { TempFile } from '../../../output/temp/temp-file.ts'
import type { TempFolder } from '../../../output/temp/temp-folder.ts'

/** What was fetched, as a file that scans read. */
export interface Fetched {
  readonly file: FileRef
  readonly bytes: number
  /** Frees the space of it. */
  discard(): Promise<void>
}

/** Up to so many bytes stay in memory. */
const MOST_IN_MEMORY = 1 << 20

/** What is fetched. */
interface Fetching {
  /** Its name in messages. */
  readonly path: string
  readonly stream: AsyncIterable<Uint8Array>
  /** What it is, and what it ends with: without that it is cut short. */
  readonly form: Readonly<{ title: string; ending: Uint8Array }>
}

const NS_PER_MS = 1_000_000n

/** Numbers the fetches of this process. */
let fetches = 0n

/**
 * Takes rows that come from elsewhere to their end: into memory if they are few, else into a temporary file without a name. Nobody
 * reads them before that, so that no worker waits for who sends them. Rejects with `memory_limit` beyond `SERVICE_MAX_TEMP_BYTES`, with
 * `remote_refused` if they have no end, and with the error of the stream.
 */
export async function fetchBytes(
  { path, stream, form: { title, ending } }: Fetching,
  folder: TempFolder,
): Promise<Fetched> {
  let chunks: Uint8Array[] = []
  let size = 0
  let end: Uint8Array = new Uint8Array(0)
  let temp: TempFile | null = null
  try {
    for await (const chunk of stream) {
      size += chunk.byteLength
      end = Buffer.concat([end, chunk.subarray(-ending.length)]).subarray(-ending.length)
      if (temp === null && size <= MOST_IN_MEMORY) {
        // A copy: the memory may be used again.
        chunks.push(new Uint8Array(chunk))
        continue
      }
      if (temp === null) {
        temp = await folder.open('fetched')
        await temp.write(Buffer.concat(chunks))
        chunks = []
      }
      await temp.write(chunk)
    }
    if (!Buffer.from(ending).equals(end))
      throw new ServiceError(
        'remote_refused',
        `The rows of ${JSON.stringify(path)}, which another service has sent, are no whole ${title}.`,
      )
    const fetched = temp === null ? inMemory(chunks, size) : await inFile(temp)
    return {
      file: Object.freeze({ path, location: '', version: versionOf(size), fetched }),
      bytes: size,
      discard: async () => temp?.discard(),
    }
  } catch (error) {
    await temp?.discard()
    throw error
  }
}

/** Bytes that have come as a file that scans read. */
export function fileOfBytes(path: string, chunks: readonly Uint8Array[]): FileRef {
  const size = chunks.reduce((sum, { byteLength }) => sum + byteLength, 0)
  const fetched = inMemory(chunks, size)
  return Object.freeze({ path, location: '', version: versionOf(size), fetched })
}

function inMemory(chunks: readonly Uint8Array[], size: number): FetchedBytes {
  const bytes = new SharedArrayBuffer(size)
  const target = new Uint8Array(bytes)
  let at = 0
  for (const chunk of chunks) {
    target.set(chunk, at)
    at += chunk.byteLength
  }
  return Object.freeze({ kind: 'memory', bytes })
}

async function inFile(temp: TempFile): Promise<FetchedBytes> {
  const { descriptor } = temp
  return Object.freeze({ kind: 'temp', temp: Object.freeze({ descriptor, version: await temp.version() }) })
}

/** A version that no file and no other fetch has. */
function versionOf(size: number): FileRef['version'] {
  const now = BigInt(Date.now()) * NS_PER_MS
  fetches++
  return Object.freeze({ device: -1n, inode: fetches, size: BigInt(size), mtimeNs: now, ctimeNs: now })
}
