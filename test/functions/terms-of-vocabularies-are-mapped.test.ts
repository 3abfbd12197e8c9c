import t from 'tap'
import { answersOf } from '../e2e/answers.ts'
import { startTestService } from '../e2e/service.ts'

const { scalarOf, rowsOf } = answersOf(await startTestService(t))

const LINE = 'SDN:L22::TOOL0001 SDN:P01::A | SDN:P01::B SDN:L22::TOOL0002 | SDN:P01::C |'
const CODES = 'SDN:P35::A = [SDN:P01::X, SDN:P01::Y], B=[ SDN:P01::Z ], SDN:P35::EMPTY = []'

const ANSWERS: readonly (readonly [call: string, answer: unknown])[] = [
  ["map_units('SDN:P06::UPOX', 'SDN:P06::KGUM', 1.025)", 1],
  ["map_units('SDN:P06::UMLL', 'SDN:P06::UPOX', 1)", 44.6608],
  ["map_units('SDN:P06::UPOX', 'SDN:P06::UMLL', 44.6608)", 1],
  ["map_units('SDN:P06::KGUM', 'SDN:P06::UMLL', 200)", (200 * 1.025) / 44.6608],
  ["map_units('SDN:P06::UMLL', 'SDN:P06::KGUM', 6)", (6 * 44.6608) / 1.025],
  ["map_units('SDN:P06::UPOX', 'SDN:P06::UPOX', 1)", null],
  ["map_units('SDN:P06::UPAA', 'SDN:P06::UPOX', 1)", null],
  ["map_units(NULL, 'SDN:P06::UPOX', 1)", null],
  ["map_units('SDN:P06::KGUM', 'SDN:P06::UPOX', NULL)", null],
  ['map_argo_instrument_l05(NULL)', null],
  ["map_cmems_bigram_l05('BO')", 'SDN:L05::30'],
  ['map_cmems_bigram_l05(NULL)', null],
  ["map_cmems_bigram_l06('SD', 1)", 'SDN:L06::3B'],
  ["map_cmems_bigram_l06('CT', 741)", 'SDN:L06::30'],
  ["map_cmems_bigram_l06('BO', 995)", 'SDN:L06::30'],
  ["map_cmems_bigram_l06('ZZ', 995)", null],
  ['map_cmems_bigram_l06(NULL, 995)', null],
  ["map_cora_platform_l06('XX', NULL)", 'SDN:L06::0'],
  ["map_cora_platform_l06('ZZ', 1)", null],
  [`map_emodnet_chemistry_instrument_info_l22('${LINE}', 'SDN:P01::A')`, 'SDN:L22::TOOL0001'],
  [`map_emodnet_chemistry_instrument_info_l22('${LINE}', 'B')`, 'SDN:L22::TOOL0002'],
  [`map_emodnet_chemistry_instrument_info_l22('${LINE}', 'SDN:P01::C')`, null],
  [`map_emodnet_chemistry_instrument_info_l22('', 'SDN:P01::C')`, null],
  [`map_emodnet_chemistry_instrument_info_l22('${LINE}', '.*')`, null],
  [`map_emodnet_chemistry_instrument_info_l22(NULL, 'SDN:P01::C')`, null],
  [`map_emodnet_chemistry_p35_contributor_codes_p01('${CODES}', 'A')`, 'SDN:P01::X, SDN:P01::Y'],
  [`map_emodnet_chemistry_p35_contributor_codes_p01('${CODES}', 'SDN:P35::B')`, 'SDN:P01::Z'],
  [`map_emodnet_chemistry_p35_contributor_codes_p01('${CODES}', 'EMPTY')`, ''],
  [`map_emodnet_chemistry_p35_contributor_codes_p01('${CODES}', 'C')`, null],
  ["map_emodnet_chemistry_instrument_l05('( 130 ) and (30)')", 'SDN:L05::130'],
  ["map_emodnet_chemistry_instrument_l05('()')", null],
  ["map_emodnet_chemistry_instrument_l05_multi('none')", null],
  ['map_emodnet_chemistry_instrument_l05_multi(NULL)', null],
  ["map_originator_edmo('no number')", null],
  ["map_originator_edmo('a (1) b (2)')", '2'],
  ["map_seadatanet_instrument_l05_salinity('(999), (SDN:L05::LAB30), (130)')", 'SDN:L05::LAB30'],
  ["map_seadatanet_instrument_l05_salinity('none')", null],
  ["map_seadatanet_instrument_l05_temperature('(999)')", 'SDN:L05::999'],
  ["map_measuring_area_type_feature_type('surface')", null],
  ["map_measuring_area_type_feature_type('a point on a curve')", 'trajectory'],
  ['map_wod_quality_flag(5)', 3],
  ['map_wod_quality_flag(-2)', null],
  ['map_wod_quality_flag(NULL)', null],
]

t.test('of constants', async (t) => {
  for (const [call, answer] of ANSWERS) t.equal(await scalarOf(`SELECT ${call} AS v`), answer, call)
})

t.test('of columns that have the names which are used inside', async (t) => {
  const rows = await rowsOf({
    sql: `SELECT map_emodnet_chemistry_instrument_info_l22(_entry, _args) AS a, map_seadatanet_instrument_l05_salinity(_code) AS b
          FROM (VALUES ('${LINE}', 'B', '(113) (130)'), ('', '', ''), (NULL, NULL, NULL)) AS t(_entry, _args, _code)`,
  })
  t.same(rows, [
    { a: 'SDN:L22::TOOL0002', b: 'SDN:L05::130' },
    { a: null, b: null },
    { a: null, b: null },
  ])
})
