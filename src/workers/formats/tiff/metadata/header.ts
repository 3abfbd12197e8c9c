import type { ByteSource } from '../../../store/byte-source.ts'
import { fault } from '../../fault.ts'

/** What the first bytes of a file say. */
export interface Header {
  readonly isBigEndian: boolean
  /** Whether places and counts have 64 bits. */
  readonly isBig: boolean
  /** The place of the first image file directory. */
  readonly directory: number
}

const BYTES = Object.freeze({ classic: 8, big: 16 })

/** Whether a file begins as TIFF or BigTIFF. */
export function isTiff(source: ByteSource): boolean {
  return source.size >= BYTES.classic && kindOf(source.read(0, 4)) !== null
}

/** The byte order, and whether it is BigTIFF, by the first four bytes. Null: they are others. */
function kindOf(bytes: Uint8Array): Pick<Header, 'isBigEndian' | 'isBig'> | null {
  const order = String.fromCharCode(...bytes.subarray(0, 2))
  if (order !== 'II' && order !== 'MM') return null
  const isBigEndian = order === 'MM'
  const version = viewOf(bytes).getUint16(2, !isBigEndian)
  return version === 42 || version === 43 ? { isBigEndian, isBig: version === 43 } : null
}

/** Reads the header. Throws `unreadable_file`. */
export function readHeader(source: ByteSource): Header {
  const kind = isTiff(source) ? kindOf(source.read(0, 4)) : null
  if (kind === null) throw fault('its first bytes are not those of TIFF')
  const { isBigEndian, isBig } = kind
  const bytes = isBig ? BYTES.big : BYTES.classic
  if (source.size < bytes) throw fault(`it ends after ${source.size} bytes, within its header`)
  const view = viewOf(source.read(0, bytes))
  if (!isBig) return { ...kind, directory: view.getUint32(4, !isBigEndian) }
  const placeBytes = view.getUint16(4, !isBigEndian)
  if (placeBytes !== 8) throw fault(`its header says that places have ${placeBytes} bytes, and not 8`)
  return { ...kind, directory: Number(view.getBigUint64(8, !isBigEndian)) }
}

function viewOf({ buffer, byteOffset, length }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, length)
}
