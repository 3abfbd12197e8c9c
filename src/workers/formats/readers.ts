import { isServiceError, ServiceError } from '../../plan/errors.ts'
import type { Formats } from '../../plan/format/create-formats.ts'
import type { FileFormat } from '../../plan/format/file-format.ts'
import type { FormatRow } from '../../plan/format/format-row.ts'
import type { Store } from '../store/store.ts'
import type { OpenFile, Provider, ReadContext } from './provider.ts'
import type { Providers } from './providers.ts'

/** The formats that a worker reads. */
export interface Readers {
  readonly formats: Formats
  /**
   * Opens a file as this format. Content of another format is an `unreadable_file` that names both, whatever the file is
   * called.
   */
  open(
    format: FileFormat,
    store: Store,
    context: Pick<ReadContext, 'core' | 'stopwatch' | 'checkCancelled'>,
  ): OpenFile
}

/** Throws `TypeError` unless each format that is read has a provider. */
export function createReaders(formats: Formats, providers: Providers): Readers {
  const read = formats.rows.filter(({ isRead }) => isRead)
  const makerOf = (id: string) => {
    const maker = Object.hasOwn(providers, id) ? providers[id] : undefined
    if (maker === undefined) throw new TypeError(`no provider reads the format "${id}"`)
    return maker
  }
  // Text last: most formats that have a magic number could be text besides.
  const known = read
    .map((row) => ({ row, provider: makerOf(row.id)(formats.withOptions(row)) }))
    .toSorted((a, b) => Number(a.row.layout === 'text') - Number(b.row.layout === 'text'))

  /** What a dataset holds that is none of this format; null: it may be one, or is nothing that is known. */
  function foreign(provider: Provider, { kind }: FileFormat, store: Store): FormatRow | null {
    if (store.open('')?.size === 0 || provider.sniff(store)) return null
    const { storage } = formats.row(kind)
    const others = known.filter(({ row }) => row.id !== kind && row.storage.kind === storage.kind)
    return others.find((other) => other.provider.sniff(store))?.row ?? null
  }

  return {
    formats,
    open(format, store, context) {
      const provider = makerOf(format.kind)(format)
      if (format.layout !== 'text') {
        try {
          return provider.open(store, context)
        } catch (error) {
          // A look of its own would cost each file that is opened a read; its metadata fail for what is no such file.
          if (!isServiceError(error) || error.code !== 'unreadable_file') throw error
          const other = foreign(provider, format, store)
          throw other === null ? error : mistaken(store, formats.row(format.kind), other, error)
        }
      }
      // Any bytes may pass for text, so nothing would fail.
      const other = foreign(provider, format, store)
      if (other !== null) throw mistaken(store, formats.row(format.kind), other)
      return provider.open(store, context)
    },
  }
}

/** Of text nobody can be sure: the reason for which the file could not be read stays in the message. */
function mistaken(store: Store, as: FormatRow, other: FormatRow, cause?: ServiceError): ServiceError {
  const { path } = store.file
  const instead = `read it with ${other.functions[0]} or "${other.from[0]}"`
  const message =
    other.layout === 'text' && cause !== undefined
      ? `${cause.message} It seems to hold ${other.title}: ${instead}.`
      : `"${path}" holds ${other.title}, and was read as ${as.title}; ${instead}.`
  return new ServiceError('unreadable_file', message, { cause })
}
