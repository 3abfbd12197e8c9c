import { isServiceError, ServiceError } from '../../plan/errors.ts'
import type { Formats } from '../../plan/format/create-formats.ts'
import type { FileFormat } from '../../plan/format/file-format.ts'
import type { FormatRow } from '../../plan/format/format-row.ts'
import type { FileStructure } from '../../plan/source/structure.ts'
import type { Store } from '../store/store.ts'
import { adviceForForeign, foreignKind } from './csv/foreign.ts'
import { unreadable } from './error-location.ts'
import type { OpenContext, OpenFile, Provider, SmallSummary } from './provider.ts'
import type { Providers } from './providers.ts'

/** The formats that a worker reads. */
export interface Readers {
  readonly formats: Formats
  /**
   * Opens a file as this format. Content of another format is an `unreadable_file` that names both, whatever the file is
   * called.
   */
  open(format: FileFormat, store: Store, context: OpenContext): OpenFile
  /** What an inspection of a small file tells, without opening it. Null: it has to be opened. */
  summarize(format: FileFormat, store: Store, context: OpenContext): SmallSummary | null
  /** As `Provider.alike` of the format. Null: all files are opened. */
  alike(format: FileFormat): NonNullable<Provider['alike']> | null
  /** As `Provider.together` of the format. Null: files are opened to be read. */
  together(format: FileFormat): NonNullable<Provider['together']> | null
  /** Reads what a file of this format holds. Throws `not_supported` if files of the format have no more than their columns. */
  structure(format: FileFormat, store: Store, context: OpenContext): FileStructure
}

/** Throws a `TypeError` unless each format has a provider. */
export function createReaders(formats: Formats, providers: Providers): Readers {
  const makerOf = (id: string) => {
    const maker = Object.hasOwn(providers, id) ? providers[id] : undefined
    if (maker === undefined) throw new TypeError(`no provider reads the format "${id}"`)
    return maker
  }
  // Text formats come last: they accept almost any bytes, so those of a format with a magic number too. Of these CSV is the last.
  const formatProviders = formats.rows
    .map((row) => ({ row, provider: makerOf(row.id)(formats.withOptions(row)) }))
    .toSorted((a, b) => breadthOf(a.row) - breadthOf(b.row))

  /** The format of a dataset that is not of the given one. Null: it may be of the given one, or is of no known format. */
  function foreign(provider: Provider, { kind }: FileFormat, store: Store): FormatRow | null {
    if (store.open('')?.size === 0 || provider.sniff(store)) return null
    const { storage } = formats.row(kind)
    const others = formatProviders.filter(({ row }) => row.id !== kind && row.storage.kind === storage.kind)
    return others.find((other) => other.provider.sniff(store))?.row ?? null
  }

  /** The result of reading metadata, or an error that names the other format that the file has. */
  function readMetadata<T>(provider: Provider, format: FileFormat, store: Store, read: () => T): T {
    try {
      return read()
    } catch (error) {
      // Content is sniffed only after a failure, because sniffing costs one more read. Files of other formats always fail
      // here, for their metadata cannot be read.
      if (!isServiceError(error) || error.code !== 'unreadable_file' || provider.sniff(store)) throw error
      const other = foreign(provider, format, store)
      const as = formats.row(format.kind)
      throw other === null ? withContent(store, as, error) : mistaken(store, as, other, error)
    }
  }

  return {
    formats,
    summarize: (format, store, context) => makerOf(format.kind)(format).summarize?.(store, context) ?? null,
    alike: (format) => makerOf(format.kind)(format).alike ?? null,
    together: (format) => makerOf(format.kind)(format).together ?? null,
    structure(format, store, context) {
      const provider = makerOf(format.kind)(format)
      const { structure } = provider
      if (structure === undefined)
        throw new ServiceError(
          'not_supported',
          `Files of ${formats.row(format.kind).title} hold nothing but their columns.`,
        )
      return readMetadata(provider, format, store, () => structure(store, context))
    },
    open(format, store, context) {
      const provider = makerOf(format.kind)(format)
      if (format.layout !== 'text')
        return readMetadata(provider, format, store, () => provider.open(store, context))
      // Opening a text format may succeed with any bytes, so the content is sniffed first.
      const other = foreign(provider, format, store)
      if (other !== null) throw mistaken(store, formats.row(format.kind), other)
      return provider.open(store, context)
    },
  }
}

/** How many contents a format takes: a greater number for more. */
function breadthOf({ id, layout }: FormatRow): number {
  return Number(layout === 'text') + Number(id === 'csv')
}

/** The error for a file of no format that is read. It says what the first bytes tell, if they tell anything. */
function withContent(store: Store, { title }: FormatRow, cause: ServiceError): ServiceError {
  const source = store.open('')
  const content = source === null ? null : foreignKind(source)
  if (content === null) return cause
  return new ServiceError(
    'unreadable_file',
    `${unreadable(store.file.path, title)}: it is ${content}${adviceForForeign(content)}.`,
    {
      cause,
    },
  )
}

/**
 * The error for content of another format than the file was read as. Almost any bytes pass for text, so if the other format is
 * text, the message keeps the reason why the file could not be read.
 */
function mistaken(store: Store, as: FormatRow, other: FormatRow, cause?: ServiceError): ServiceError {
  const { path } = store.file
  const isRefused = store.isInflated === true && other.mayBeCompressed !== true
  const instead = `${isRefused ? 'unpack it, and ' : ''}read it with ${other.functions[0]} or "${other.from[0]}"`
  const message =
    other.layout === 'text' && cause !== undefined
      ? `${cause.message}. It seems to hold ${other.title}: ${instead}.`
      : `"${path}" holds ${other.title}, and was read as ${as.title}; ${instead}.`
  return new ServiceError('unreadable_file', message, { cause })
}
