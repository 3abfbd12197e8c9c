import { type DataType, type Field, valueType } from '../../../plan/types/schema.ts'
import { words } from '../layout.ts'
import { type TypeCode, typeCode } from '../type-code.ts'

/** How the core writes a value as JSON (`json.rs`, `Form`): its type, and for nested ones the text around their parts. */
interface Form {
  readonly type: TypeCode
  readonly open: string
  readonly close: string
  readonly parts: readonly { readonly before: string; readonly form: Form }[]
}

/** The bytes of the form of a row: an object with the names of its columns, or an array if there are no names. */
export function rowForm(types: readonly DataType[], names: readonly string[] | null): Buffer {
  const row = tuple(types, names)
  const [before, behind] = names === null ? [',\n', ''] : ['', '\n']
  return Buffer.concat(bytesOf({ ...row, open: before + row.open, close: row.close + behind }))
}

function formOf(type: DataType): Form {
  switch (type.kind) {
    case 'list':
    case 'large_list':
    case 'fixed_list':
      return list(type, formOf(type.item.type))
    case 'map':
      // Its entries are arrays of a key and a value, as `new Map` of JavaScript takes them.
      return list(type, tuple(typesOf(fieldsOf(type.entries.type)), null))
    case 'struct':
      return tuple(typesOf(type.fields), uniqueNames(type.fields))
    default:
      return { type: typeCode(type), open: '', close: '', parts: [] }
  }
}

function list(type: DataType, item: Form): Form {
  return { type: typeCode(type), open: '[', close: ']', parts: [{ before: ',', form: item }] }
}

/** Several values: an object with their names, or an array if there are no names. */
function tuple(types: readonly DataType[], names: readonly string[] | null): Form {
  const parts = types.map((type, i) => ({
    before: (i === 0 ? '' : ',') + (names === null ? '' : `${JSON.stringify(names[i] ?? '')}:`),
    form: formOf(valueType(type)),
  }))
  const [open, close] = names === null ? ['[', ']'] : ['{', '}']
  return { type: NESTED_CODE, open, close, parts }
}

const NESTED_CODE: TypeCode = typeCode({ kind: 'struct', fields: [] })

/** The names of a struct's fields. Null: some have none or the same, so an object cannot have them. */
function uniqueNames(fields: readonly Field[]): readonly string[] | null {
  const names = fields.map(({ name }) => name)
  return new Set(names).size === names.length && !names.includes('') ? names : null
}

function fieldsOf(type: DataType): readonly Field[] {
  return type.kind === 'struct' ? type.fields : []
}

function typesOf(fields: readonly Field[]): readonly DataType[] {
  return fields.map(({ type }) => type)
}

function bytesOf({ type, open, close, parts }: Form): Buffer[] {
  const inner = parts.flatMap(({ before, form }) => [...textBytes(before), ...bytesOf(form)])
  return [words(type), ...textBytes(open), ...textBytes(close), words([parts.length]), ...inner]
}

function textBytes(text: string): Buffer[] {
  const bytes = Buffer.from(text)
  return [words([bytes.length]), bytes]
}
