import type { FunctionFamily } from '../function-row.ts'
import { macro, once, row } from '../row.ts'

/** The units between which `map_units` converts: µmol/kg, µmol/l and ml/l of a gas in seawater. */
const [KGUM, UPOX, UMLL] = ['SDN:P06::KGUM', 'SDN:P06::UPOX', 'SDN:P06::UMLL']

/** The density of seawater in kg/l, and the µmol in a ml of oxygen. */
const [DENSITY, MICROMOLES] = [1.025, 44.6608]

/** By which numbers a value is multiplied and divided, for each pair of units. */
const CONVERSIONS: readonly (readonly [from: string, to: string, times: number, by: number])[] = [
  [KGUM, UPOX, DENSITY, 1],
  [UPOX, KGUM, 1, DENSITY],
  [UMLL, UPOX, MICROMOLES, 1],
  [UPOX, UMLL, 1, MICROMOLES],
  [KGUM, UMLL, DENSITY, MICROMOLES],
  [UMLL, KGUM, MICROMOLES, DENSITY],
]

/** Types of data of Copernicus Marine and CORA, and the categories of instruments (L05) of them. */
const INSTRUMENTS_OF_TYPES: Readonly<Record<string, string>> = {
  BO: '30',
  CT: '130',
  XB: '132',
  TX: '135',
  TS: '133',
  ML: '134',
  SF: '131',
}

/** The same, and the categories of platforms (L06). */
const PLATFORMS_OF_TYPES: Readonly<Record<string, string>> = {
  BO: '30',
  CT: '30',
  XB: '30',
  GL: '27',
  PF: '46',
  SD: '3B',
  TX: '48',
  DB: '42',
  FB: '35',
  TS: '30',
  MO: '48',
  SM: '70',
  XX: '0',
  ML: '36',
  SF: '23',
}

/** The type of WMO's table 1770 of instruments on animals, and the category of these platforms. */
const [ON_ANIMALS, ANIMALS] = ['995', '70']

/** The categories of instruments (L05) that measure a quantity, which come before those of others on the same platform. */
const SALINITY = ['130', '131', '30', '354', 'MOD07', 'MOD02', '350', 'LAB30', '133']
const TEMPERATURE = ['308', '132', '130', '131', '354', 'MOD07', 'MOD02', '135', '133', '302', '134']

/** A map in SQL of texts to numbers or texts, as it is written. Null for a key that it lacks. */
function mapOf(entries: readonly (readonly [key: string, value: string])[]): string {
  return `MAP {${entries.map(([key, value]) => `'${key}': ${value}`).join(', ')}}`
}

function codesOf(vocabulary: string, codes: Readonly<Record<string, string>>): string {
  return mapOf(Object.entries(codes).map(([key, code]) => [key, `'SDN:${vocabulary}::${code}'`]))
}

/** A list of the codes of a vocabulary that stand in parentheses in a text, without the vocabulary's name. */
function codesInParentheses(text: string, vocabulary: string): string {
  return `regexp_extract_all(${text}, '\\(\\s*(?:SDN:${vocabulary}::)?([^()\\s]+)\\s*\\)', 1)`
}

/** The first code in parentheses. Null: there is none. */
function firstCode(vocabulary: string) {
  return macro([
    'text VARCHAR',
    `CAST('SDN:${vocabulary}::' || list_extract(${codesInParentheses('text', vocabulary)}, 1) AS VARCHAR)`,
  ])
}

/** The first code in parentheses that is one of some, or else the first. */
function preferredCode(codes: readonly string[]) {
  const preferred = codes.map((code) => `'${code}'`).join(', ')
  return macro(
    once(['text'], (text) => {
      const all = codesInParentheses(text, 'L05')
      return `'SDN:L05::' || coalesce(list_extract(list_filter(${all}, lambda _code: _code IN (${preferred})), 1), list_extract(${all}, 1))`
    }),
  )
}

/** What stands in the last parentheses of a text. */
const LAST_PARENTHESES = macro([
  'text VARCHAR',
  `list_extract(regexp_extract_all(text, '\\(\\s*([^()]*[^()\\s])\\s*\\)', 1), -1)`,
])

/** What stands in a list at the place at which a code stands in another one. */
function at(values: string, keys: string, code: string, vocabulary: string): string {
  return `list_extract(${values}, list_position(${keys}, regexp_replace(${code}, '^SDN:${vocabulary}::', '')))`
}

/** Functions of the vocabularies of SeaDataNet, EMODnet Chemistry, Copernicus Marine, CORA, Argo and the World Ocean Database. */
export const VOCABULARIES: FunctionFamily = Object.freeze({
  title: 'Vocabularies',
  about:
    'Codes of the [NERC Vocabulary Server](https://vocab.nerc.ac.uk/) as SeaDataNet writes them, `SDN:L05::130`: L05 and L06 are categories of instruments and of platforms, L22 models of instruments, P01 parameters, P06 units. An unknown code gives null. Where a text has codes in parentheses, these may be written with the name of their vocabulary or without.',
  rows: [
    row({
      name: 'map_argo_instrument_l05',
      overloads: ['type BIGINT -> VARCHAR'],
      form: macro(['type BIGINT', "CASE WHEN type IS NOT NULL THEN 'SDN:L05::130' END"]),
      description: 'The category of the instruments on Argo floats, whatever their type: CTD.',
      examples: [['map_argo_instrument_l05(846)', 'SDN:L05::130']],
    }),
    row({
      name: 'map_argo_platform_l06',
      overloads: ['type BIGINT -> VARCHAR'],
      form: macro(['type BIGINT', "CASE WHEN type IS NOT NULL THEN 'SDN:L06::46' END"]),
      description: 'The category of Argo floats, whatever their type: drifting subsurface profiling float.',
      examples: [['map_argo_platform_l06(846)', 'SDN:L06::46']],
    }),
    row({
      name: 'map_cmems_bigram_l05',
      overloads: ['bigram VARCHAR -> VARCHAR'],
      form: macro(['bigram VARCHAR', `element_at(${codesOf('L05', INSTRUMENTS_OF_TYPES)}, bigram)[1]`]),
      description:
        'The category of instruments of a type of data of Copernicus Marine: BO, CT, ML, SF, TS, TX or XB.',
      examples: [
        ["map_cmems_bigram_l05('XB')", 'SDN:L05::132'],
        ["map_cmems_bigram_l05('PF')", 'NULL'],
      ],
    }),
    row({
      name: 'map_cmems_bigram_l06',
      overloads: ['bigram VARCHAR, wmo_instrument_type BIGINT -> VARCHAR'],
      nulls: 'are values',
      form: macro(
        once(
          ['bigram', 'wmo_instrument_type'],
          (bigram, type) =>
            `CASE WHEN ${bigram} = 'CT' AND TRY_CAST(${type} AS BIGINT) = ${ON_ANIMALS} THEN 'SDN:L06::${ANIMALS}' ELSE element_at(${codesOf('L06', PLATFORMS_OF_TYPES)}, ${bigram})[1] END`,
        ),
      ),
      description:
        'The category of platforms of a type of data of Copernicus Marine. CTDs (CT) whose type of instrument by WMO is 995 are on animals, others on ships.',
      examples: [
        ["map_cmems_bigram_l06('CT', 995)", 'SDN:L06::70'],
        ["map_cmems_bigram_l06('CT', NULL)", 'SDN:L06::30'],
        ["map_cmems_bigram_l06('GL', 0)", 'SDN:L06::27'],
      ],
    }),
    row({
      name: 'map_cora_platform_l06',
      overloads: ['bigram VARCHAR, wmo_instrument_type BIGINT -> VARCHAR'],
      nulls: 'are values',
      form: macro([
        'bigram, wmo_instrument_type',
        `element_at(${codesOf('L06', PLATFORMS_OF_TYPES)}, bigram)[1]`,
      ]),
      description: 'The category of platforms of a type of data of CORA. CTDs (CT) are on ships.',
      examples: [["map_cora_platform_l06('CT', 995)", 'SDN:L06::30']],
    }),
    row({
      name: 'map_emodnet_chemistry_instrument_info_l22',
      overloads: ['line VARCHAR, p01 VARCHAR -> VARCHAR'],
      form: macro(
        once(['line', 'p01'], (line, p01) => {
          const code = (entry: string, vocabulary: string): string =>
            `regexp_extract(${entry}, 'SDN:${vocabulary}::([A-Za-z0-9_]+)', 1)`
          const entries = `list_filter(string_split(${line}, '|'), lambda _entry: contains(_entry, 'SDN:L22::'))`
          const each = (vocabulary: string): string =>
            `list_transform(${entries}, lambda _entry: ${code('_entry', vocabulary)})`
          return `'SDN:L22::' || ${at(each('L22'), each('P01'), p01, 'P01')}`
        }),
      ),
      description:
        'The model of the instrument of a parameter, of a text that has both for each of several parameters, separated by a vertical bar.',
      examples: [
        [
          "map_emodnet_chemistry_instrument_info_l22('SDN:P01::PRESPR01 SDN:L22::TOOL0001 | SDN:P01::TEMPPR01 SDN:L22::TOOL0002', 'SDN:P01::TEMPPR01')",
          'SDN:L22::TOOL0002',
        ],
      ],
    }),
    row({
      name: 'map_emodnet_chemistry_instrument_l05',
      overloads: ['text VARCHAR -> VARCHAR'],
      form: firstCode('L05'),
      description: 'The first category of instruments that stands in parentheses.',
      examples: [
        ["map_emodnet_chemistry_instrument_l05('CTD (130), water bottles (30)')", 'SDN:L05::130'],
        ["map_emodnet_chemistry_instrument_l05('CTD')", 'NULL'],
      ],
    }),
    row({
      name: 'map_emodnet_chemistry_instrument_l05_multi',
      overloads: ['text VARCHAR -> VARCHAR'],
      form: macro([
        'text VARCHAR',
        `list_aggregate(list_transform(${codesInParentheses('text', 'L05')}, lambda _code: 'SDN:L05::' || _code), 'string_agg', ' | ')`,
      ]),
      description:
        'All categories of instruments that stand in parentheses, separated by a vertical bar between blanks.',
      examples: [
        [
          "map_emodnet_chemistry_instrument_l05_multi('CTD (130), water bottles (30)')",
          'SDN:L05::130 | SDN:L05::30',
        ],
      ],
    }),
    row({
      name: 'map_emodnet_chemistry_originator_edmo',
      overloads: ['text VARCHAR -> VARCHAR'],
      form: LAST_PARENTHESES,
      description:
        'What stands in the last parentheses: the number in EDMO of the institute that they follow.',
      examples: [["map_emodnet_chemistry_originator_edmo('Institute (Brest) (486)')", '486']],
    }),
    row({
      name: 'map_emodnet_chemistry_p35_contributor_codes_p01',
      overloads: ['codes VARCHAR, p35 VARCHAR -> VARCHAR'],
      form: macro(
        once(['codes', 'p35'], (codes, p35) => {
          const each = (group: number): string =>
            `regexp_extract_all(${codes}, '(?:SDN:P35::)?([A-Za-z0-9_]+)\\s*=\\s*\\[\\s*([^\\]]*?)\\s*\\]', ${group})`
          return at(each(2), each(1), p35, 'P35')
        }),
      ),
      description:
        'The parameters from which an aggregated one (P35) was made, as they are written in brackets behind it.',
      examples: [
        [
          "map_emodnet_chemistry_p35_contributor_codes_p01('SDN:P35::WATERTEMP = [SDN:P01::TEMPPR01 SDN:P01::TEMPST01], SDN:P35::EPC00001 = [SDN:P01::PSALST01]', 'SDN:P35::WATERTEMP')",
          'SDN:P01::TEMPPR01 SDN:P01::TEMPST01',
        ],
      ],
    }),
    row({
      name: 'map_emodnet_chemistry_platform_l06',
      overloads: ['text VARCHAR -> VARCHAR'],
      form: firstCode('L06'),
      description: 'The first category of platforms that stands in parentheses.',
      examples: [["map_emodnet_chemistry_platform_l06('research vessel (31)')", 'SDN:L06::31']],
    }),
    row({
      name: 'map_measuring_area_type_feature_type',
      overloads: ['measuring_area_type VARCHAR -> VARCHAR'],
      form: macro(
        once(
          ['measuring_area_type'],
          (type) =>
            `CASE WHEN contains(lower(${type}), 'curve') THEN 'trajectory' WHEN contains(lower(${type}), 'point') THEN 'profile' END`,
        ),
      ),
      description:
        'The feature type of CF of a type of measured area: trajectory for a text with `curve`, profile for one with `point`.',
      examples: [
        ["map_measuring_area_type_feature_type('SDN:L02::curve')", 'trajectory'],
        ["map_measuring_area_type_feature_type('Point')", 'profile'],
      ],
    }),
    row({
      name: 'map_originator_edmo',
      overloads: ['text VARCHAR -> VARCHAR'],
      form: LAST_PARENTHESES,
      description:
        'What stands in the last parentheses: the number in EDMO of the institute that they follow.',
      examples: [["map_originator_edmo('Institute (Brest) (486)')", '486']],
    }),
    row({
      name: 'map_seadatanet_instrument_l05',
      overloads: ['text VARCHAR -> VARCHAR'],
      form: firstCode('L05'),
      description: 'The first category of instruments that stands in parentheses.',
      examples: [["map_seadatanet_instrument_l05('CTD (SDN:L05::130)')", 'SDN:L05::130']],
    }),
    row({
      name: 'map_seadatanet_instrument_l05_salinity',
      overloads: ['text VARCHAR -> VARCHAR'],
      form: preferredCode(SALINITY),
      description: `The first category in parentheses of instruments that measure salinity (${SALINITY.join(', ')}), or else the first of all.`,
      examples: [
        ["map_seadatanet_instrument_l05_salinity('fluorometer (113), CTD (130)')", 'SDN:L05::130'],
        ["map_seadatanet_instrument_l05_salinity('fluorometer (113)')", 'SDN:L05::113'],
      ],
    }),
    row({
      name: 'map_seadatanet_instrument_l05_temperature',
      overloads: ['text VARCHAR -> VARCHAR'],
      form: preferredCode(TEMPERATURE),
      description: `The first category in parentheses of instruments that measure temperature (${TEMPERATURE.join(', ')}), or else the first of all.`,
      examples: [
        ["map_seadatanet_instrument_l05_temperature('water bottles (30), XBT (132)')", 'SDN:L05::132'],
      ],
    }),
    row({
      name: 'map_seadatanet_platform_l06',
      overloads: ['text VARCHAR -> VARCHAR'],
      form: firstCode('L06'),
      description: 'The first category of platforms that stands in parentheses.',
      examples: [["map_seadatanet_platform_l06('research vessel (SDN:L06::31)')", 'SDN:L06::31']],
    }),
    row({
      name: 'map_units',
      overloads: ['from_unit VARCHAR, to_unit VARCHAR, value DOUBLE -> DOUBLE'],
      form: macro(
        once(['from_unit', 'to_unit', 'value'], (from, to, value) => {
          const pair = `${from} || ' ' || ${to}`
          const numbers = (which: 2 | 3): string =>
            mapOf(CONVERSIONS.map((each) => [`${each[0]} ${each[1]}`, `${each[which]}e0`]))
          return `CAST(${value} AS DOUBLE) * element_at(${numbers(2)}, ${pair})[1] / element_at(${numbers(3)}, ${pair})[1]`
        }),
      ),
      description: `A concentration of oxygen in another unit: from and to \`${KGUM}\` (µmol/kg), \`${UPOX}\` (µmol/l) and \`${UMLL}\` (ml/l), with ${DENSITY} kg of seawater in a litre and ${MICROMOLES} µmol of oxygen in a millilitre. Null for other pairs, and for equal ones.`,
      examples: [
        [`map_units('${KGUM}', '${UPOX}', 1)`, '1.025'],
        [`round(map_units('${UMLL}', '${KGUM}', 6), 3)`, '261.429'],
        [`map_units('${KGUM}', '${KGUM}', 200)`, 'NULL'],
      ],
    }),
    row({
      name: 'map_wod_quality_flag',
      overloads: ['flag BIGINT -> BIGINT'],
      form: macro(
        once(
          ['flag'],
          (flag) =>
            `CAST(CASE WHEN ${flag} = 0 THEN 1 WHEN ${flag} BETWEEN 1 AND 5 THEN 3 WHEN ${flag} BETWEEN 6 AND 9 THEN 4 END AS BIGINT)`,
        ),
      ),
      description:
        'The quality flag of SeaDataNet (L20) for one of the World Ocean Database: 1 (good) for 0, 3 (probably bad) for 1 to 5, 4 (bad) for 6 to 9.',
      examples: [
        ['map_wod_quality_flag(0)', '1'],
        ['map_wod_quality_flag(7)', '4'],
        ['map_wod_quality_flag(10)', 'NULL'],
      ],
    }),
  ],
})
