import type { ByteSource } from '../../store/byte-source.ts'
import type { ArrayFile, ArrayForm, FormedFile } from '../arrays/array-file.ts'
import type { Header } from './header.ts'
import { formOf, type HeaderForm, numbersIn } from './header-form.ts'

/** The forms of headers that were parsed lately, of which further files are found without parsing. */
export interface KnownForms {
  /** Remembers the form of a header, and what was made of it and of the size of its file. */
  remember(source: ByteSource, header: Header, file: ArrayFile): void
  /** What a file says whose header has one of these forms. `memory` has all its bytes, from `at` on. Undefined: it has to be opened. */
  find(memory: Uint8Array, at: number, size: number): FormedFile | undefined
}

/** Longer headers are parsed each time. */
const MOST_HEADER_BYTES = 64 << 10

/** With the kinds of files that one folder has. A header is compared with each of them, up to the first byte that differs. */
const MOST_FORMS = 16

interface Remembered {
  readonly header: HeaderForm
  readonly form: ArrayForm
}

export function createKnownForms(): KnownForms {
  /** The one that was used last comes first. */
  const forms: Remembered[] = []

  function find(memory: Uint8Array, at: number, size: number): FormedFile | undefined {
    for (let index = 0; index < forms.length; index++) {
      const remembered = forms[index]
      const numbers = remembered && numbersIn(remembered.header, memory, at, size)
      if (!remembered || !numbers) continue
      if (index > 0) {
        forms.splice(index, 1)
        forms.unshift(remembered)
      }
      return { form: remembered.form, numbers }
    }
    return undefined
  }

  return {
    find,
    remember(source, header, file) {
      if (header.bytes > MOST_HEADER_BYTES) return
      const bytes = Buffer.allocUnsafeSlow(header.bytes)
      source.readInto(0, bytes)
      const form = formOf(bytes, header)
      if (forms.some((remembered) => isSame(remembered.header, form))) return
      forms.unshift({ header: form, form: arrayForm(form, header, file) })
      if (forms.length > MOST_FORMS) forms.pop()
    },
  }
}

/** Whether two forms are the same, of headers of one version. */
function isSame(a: HeaderForm, b: HeaderForm): boolean {
  return (
    a.parts.length === b.parts.length &&
    a.parts.every(({ equal, places }, index) => {
      const other = b.parts[index]
      return other?.equal.equals(equal) === true && places.join() === other.places.join()
    })
  )
}

function arrayForm(form: HeaderForm, header: Header, file: ArrayFile): ArrayForm {
  const indexes = new Map(header.variables.map(({ name }, index) => [name, index]))
  const variables = file.arrays.map(({ name }) => indexes.get(name) ?? -1)
  return {
    file,
    arrays: variables.map((index) => ({
      variable: index,
      dimensions: form.variables[index]?.dimensions ?? [],
      isInRecords: form.variables[index]?.isInRecords ?? false,
      isBigEndian: true,
    })),
    // All texts of the header are among its attributes, in its order.
    texts: header.attributes.flatMap(({ name, value }, index) =>
      value.kind === 'text' && name !== '_FillValue' ? index : [],
    ),
  }
}
