import { COPY_MAGIC } from '../../plan/copy/copy-file.ts'
import type { Formats } from '../../plan/format/create-formats.ts'
import type { FileFormat } from '../../plan/format/file-format.ts'
import type { RemoteAddress } from './remote-client.ts'

/** The form of the bytes that a remote answers. */
type AnswerForm = Readonly<{
  /** Its name in messages. */
  title: string
  /** Its last bytes. Without them it is cut short. */
  ending: Uint8Array
}>

/** An Arrow IPC stream ends with a continuation marker, and a length of 0. */
const ARROW: AnswerForm = Object.freeze({
  title: 'Arrow stream',
  ending: new Uint8Array([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]),
})

const COPY: AnswerForm = Object.freeze({
  title: 'rows of a database',
  ending: new Uint8Array(Buffer.from(COPY_MAGIC)),
})

export function answerFormOf({ kind }: Pick<RemoteAddress, 'kind'>): AnswerForm {
  return kind === 'service' ? ARROW : COPY
}

/** The format in which workers read the answers of a remote. */
export function answerFormat({ kind }: Pick<RemoteAddress, 'kind'>, formats: Formats): FileFormat {
  return formats.withOptions(formats.row(kind === 'service' ? 'arrow' : 'copy'))
}
