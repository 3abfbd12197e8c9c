import type {
  AttributePlan,
  PlannedAttributes,
  PlannedNumbers,
} from '../../../../plan/output/attribute-plan.ts'
import { NETCDF4_STORAGE } from '../../../../plan/output/netcdf4-storage.ts'
import { isAttributeColumn } from '../../../../plan/types/attribute-column.ts'
import { type NumberList, numberLists } from '../../../../plan/types/attribute-lists.ts'
import { type DataType, type Field, valueType } from '../../../../plan/types/schema.ts'
import { nameFault } from './check-names.ts'
import { integerType } from './variable-type.ts'

/** A column with its index among all of them. */
export interface IndexedField {
  readonly column: number
  readonly field: Field
}

export interface SplitFields {
  /** Whether the files say of a column what it is: by its metadata, or by columns of its attributes. */
  isDescribed(field: Field): boolean
  readonly variables: readonly IndexedField[]
  readonly attributes: readonly IndexedField[]
}

/** The columns of an answer that become variables, and those that are attributes of the files that are read. */
export function splitFields(fields: readonly Field[], dimensions: readonly number[] = []): SplitFields {
  const all = fields.map((field, column) => ({ column, field }))
  const isAttribute = ({ column, field }: IndexedField): boolean =>
    isAttributeColumn(field) && !dimensions.includes(column)
  const attributes = all.filter(isAttribute)
  const described = new Set(attributes.map(({ field: { name } }) => name.slice(0, name.lastIndexOf('.'))))
  return {
    isDescribed: ({ name, metadata }) => Object.keys(metadata).length > 0 || described.has(name),
    variables: all.filter((each) => !isAttribute(each)),
    attributes,
  }
}

/**
 * Attributes by which files are stored: the writer makes its own, and what is said of stored numbers is not true of those that were decoded.
 */
const OF_STORAGE: ReadonlySet<string> = new Set([
  ...NETCDF4_STORAGE,
  '_FillValue',
  '_Unsigned',
  'add_offset',
  'missing_value',
  'scale_factor',
])

/** Attributes that are of the type of the values. */
const OF_RANGE: ReadonlySet<string> = new Set(['valid_min', 'valid_max'])

/** Lists that are of the type of the values. */
const LISTS_OF_VALUES: ReadonlySet<string> = new Set(['flag_masks', 'flag_values', 'valid_range'])

/** The most characters of the attributes of a variable that come from metadata. */
const MOST_CHARACTERS = 1 << 16

/**
 * What the metadata of a column say of its values, behind the attributes that the writer makes of its type. Times keep the units of
 * the writer. What says what it is gets no `standard_name` of the writer.
 */
export function attributesOfField(
  { type, metadata }: Field,
  plannedAttributes: PlannedAttributes,
  isDescribed: boolean,
): PlannedAttributes {
  const isTime = hasTimes(valueType(type))
  let remainingCharacters = MOST_CHARACTERS
  const lists = numberLists(metadata)
  const others = Object.entries(metadata).flatMap(([name, text]): [string, PlannedAttributes[string]][] => {
    if (!isAttributeName(name) || OF_STORAGE.has(name)) return []
    if (isTime && (name === 'units' || name === 'calendar')) return []
    remainingCharacters -= name.length + text.length
    if (remainingCharacters < 0) return []
    const list = lists.get(name)
    if (list !== undefined) return [[name, plannedNumbers(name, list, valueType(type))]]
    if (!OF_RANGE.has(name)) return [[name, text]]
    const number = Number(text)
    return text !== '' && Number.isFinite(number) && isNumber(valueType(type)) ? [[name, number]] : []
  })
  const { standard_name: _, ...needed } = plannedAttributes
  return Object.freeze({ ...(isDescribed ? needed : plannedAttributes), ...Object.fromEntries(others) })
}

/** A list of 16-bit floats, which NetCDF does not have, is one of 32 bits. */
function plannedNumbers(name: string, { type, numbers }: NumberList, values: DataType): PlannedNumbers {
  const { kind } = values
  const ofValues = LISTS_OF_VALUES.has(name) && (kind === 'int' || kind === 'float') ? values : type
  const written = ofValues.kind === 'int' ? integerType(ofValues) : ofValues.bits === 64 ? 'double' : 'float'
  return Object.freeze({ type: written, numbers: Object.freeze([...numbers]) })
}

function hasTimes({ kind }: DataType): boolean {
  return kind === 'timestamp' || kind === 'date'
}

function isNumber({ kind }: DataType): boolean {
  return kind === 'int' || kind === 'float'
}

/** Variables without the attributes that columns become, which have their types and values. */
export function withoutPlanned<T extends { readonly attributes: PlannedAttributes }>(
  variables: readonly T[],
  plans: readonly AttributePlan[],
): readonly T[] {
  const planned = variables.map((_, index) =>
    plans.flatMap(({ variable, name }) => (variable === index ? [name] : [])),
  )
  const unplannedVariables = variables.map((each, index) => {
    const entries = Object.entries(each.attributes).filter(
      ([name]) => planned[index]?.includes(name) !== true,
    )
    return Object.freeze({ ...each, attributes: Object.freeze(Object.fromEntries(entries)) })
  })
  return Object.freeze(unplannedVariables)
}

/** A variable, as far as attributes of it are looked for. */
interface NamedVariable {
  readonly column: number
  /** Attributes that it has whatever the rows are. */
  readonly attributes: PlannedAttributes
}

/**
 * The attributes that columns become. `sst.units` is that of the variable `sst`, and `.title` one of the file; of a variable that is not
 * written an attribute of the file has the whole name. Those that describe how values are stored are left out, and a range of another type
 * than the values are.
 */
export function attributePlans(
  columns: readonly IndexedField[],
  fields: readonly Field[],
  variables: readonly NamedVariable[],
): readonly AttributePlan[] {
  const byName = new Map(variables.map(({ column }, index) => [fields[column]?.name ?? '', index]))
  const plans = columns.flatMap(({ column, field }): AttributePlan[] => {
    const type = attributeType(valueType(field.type))
    const { variable, name } = placeOf(field.name, byName)
    // Of a variable that is not written the name is still the whole one.
    const ownName = name.slice(name.lastIndexOf('.') + 1)
    if (type === null || OF_STORAGE.has(ownName) || !isAttributeName(name)) return []
    const of = fields[variables[variable ?? -1]?.column ?? -1]
    if (of !== undefined && !isTrueOf(name, field, of)) return []
    const described = variables[variable ?? -1]?.attributes[name]
    const otherwise = type === 'string' && typeof described === 'string' ? described : null
    return [Object.freeze({ column, variable, name, type, otherwise })]
  })
  return Object.freeze(plans)
}

function placeOf(
  column: string,
  variables: ReadonlyMap<string, number>,
): { readonly variable: number | null; readonly name: string } {
  if (column.startsWith('.')) return { variable: null, name: column.slice(1) }
  for (let dot = column.lastIndexOf('.'); dot > 0; dot = column.lastIndexOf('.', dot - 1)) {
    const variable = variables.get(column.slice(0, dot))
    if (variable !== undefined) return { variable, name: column.slice(dot + 1) }
  }
  return { variable: null, name: column }
}

/** Whether an attribute is true of decoded values. */
function isTrueOf(name: string, attribute: Field, { type }: Field): boolean {
  const values = valueType(type)
  if (hasTimes(values)) return name !== 'units' && name !== 'calendar' && !OF_RANGE.has(name)
  return !OF_RANGE.has(name) || attributeType(valueType(attribute.type)) === attributeType(values)
}

function attributeType(type: DataType): AttributePlan['type'] | null {
  switch (type.kind) {
    case 'utf8':
      return 'string'
    case 'bool':
      return 'ubyte'
    case 'int':
      return integerType(type)
    case 'float':
      return type.bits === 16 ? null : type.bits === 32 ? 'float' : 'double'
    default:
      return null
  }
}

/** Names with a colon say how other formats are read. */
function isAttributeName(name: string): boolean {
  return nameFault(name) === null && !name.includes(':')
}
