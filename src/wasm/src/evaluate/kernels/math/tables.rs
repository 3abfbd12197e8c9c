//! Tables of musl 1.2.3 (`src/math/exp_data.c`, `log_data.c`, `log2_data.c`, `pow_data.c`), as the bits of floats.
//!
//! Copyright (c) 2018, Arm Limited. SPDX-License-Identifier: MIT. The license is in `mod.rs`.

/// For each of 128 parts of a power of 2 its tail and its bits, less its exponent.
#[rustfmt::skip]
pub const EXP: [u64; 256] = [
    0x0000_0000_0000_0000, 0x3ff0_0000_0000_0000, 0x3c9b_3b4f_1a88_bf6e, 0x3fef_f63d_a9fb_3335, 0xbc71_6013_9cd8_dc5d, 0x3fef_ec9a_3e77_8061,
    0xbc90_5e7a_1087_66d1, 0x3fef_e315_e86e_7f85, 0x3c8c_d252_3567_f613, 0x3fef_d9b0_d315_8574, 0xbc8b_ce80_23f9_8efa, 0x3fef_d06b_29dd_f6de,
    0x3c60_f74e_61e6_c861, 0x3fef_c745_1875_9bc8, 0x3c90_a3e4_5b33_d399, 0x3fef_be3e_cac6_f383, 0x3c97_9aa6_5d83_7b6d, 0x3fef_b558_6cf9_890f,
    0x3c8e_b51a_92fd_effc, 0x3fef_ac92_2b72_47f7, 0x3c3e_be3d_702f_9cd1, 0x3fef_a3ec_32d3_d1a2, 0xbc6a_0334_8990_6e0b, 0x3fef_9b66_affe_d31b,
    0xbc95_5652_2a2f_bd0e, 0x3fef_9301_d012_5b51, 0xbc50_80ef_8c4e_ea55, 0x3fef_8abd_c06c_31cc, 0xbc91_c923_b9d5_f416, 0x3fef_829a_aea9_2de0,
    0x3c80_d3e3_e95c_55af, 0x3fef_7a98_c8a5_8e51, 0xbc80_1b15_eaa5_9348, 0x3fef_72b8_3c7d_517b, 0xbc8f_1ff0_55de_323d, 0x3fef_6af9_388c_8dea,
    0x3c8b_898c_3f13_53bf, 0x3fef_635b_eb6f_cb75, 0xbc96_d99c_7611_eb26, 0x3fef_5be0_8404_5cd4, 0x3c9a_ecf7_3e3a_2f60, 0x3fef_5487_3168_b9aa,
    0xbc8f_e782_cb86_389d, 0x3fef_4d50_22fc_d91d, 0x3c8a_6f41_44a6_c38d, 0x3fef_463b_8862_8cd6, 0x3c80_7a05_b0e4_047d, 0x3fef_3f49_917d_dc96,
    0x3c96_8efd_e3a8_a894, 0x3fef_387a_6e75_6238, 0x3c87_5e18_f274_487d, 0x3fef_31ce_4fb2_a63f, 0x3c80_472b_981f_e7f2, 0x3fef_2b45_65e2_7cdd,
    0xbc96_b87b_3f71_085e, 0x3fef_24df_e1f5_6381, 0x3c82_f7e1_6d09_ab31, 0x3fef_1e9d_f51f_dee1, 0xbc3d_219b_1a6f_bffa, 0x3fef_187f_d0da_d990,
    0x3c8b_3782_720c_0ab4, 0x3fef_1285_a6e4_030b, 0x3c6e_1492_89ce_cb8f, 0x3fef_0caf_a93e_2f56, 0x3c83_4d75_4db0_abb6, 0x3fef_06fe_0a31_b715,
    0x3c86_4201_e2ac_744c, 0x3fef_0170_fc4c_d831, 0x3c8f_dd39_5dd3_f84a, 0x3fee_fc08_b264_16ff, 0xbc86_a380_3b8e_5b04, 0x3fee_f6c5_5f92_9ff1,
    0xbc92_4aed_cc4b_5068, 0x3fee_f1a7_373a_a9cb, 0xbc99_07f8_1b51_2d8e, 0x3fee_ecae_6d05_d866, 0xbc71_d1e8_3e94_36d2, 0x3fee_e7db_34e5_9ff7,
    0xbc99_1919_b3ce_1b15, 0x3fee_e32d_c313_a8e5, 0x3c85_9f48_a72a_4c6d, 0x3fee_dea6_4c12_3422, 0xbc93_1260_7a28_698a, 0x3fee_da45_04ac_801c,
    0xbc58_a78f_4817_895b, 0x3fee_d60a_21f7_2e2a, 0xbc7c_2c9b_6749_9a1b, 0x3fee_d1f5_d950_a897, 0x3c43_63ed_60c2_ac11, 0x3fee_ce08_6061_892d,
    0x3c96_6609_3b06_64ef, 0x3fee_ca41_ed1d_0057, 0x3c6e_cce1_daa1_0379, 0x3fee_c6a2_b5c1_3cd0, 0x3c93_ff8e_3f0f_1230, 0x3fee_c32a_f0d7_d3de,
    0x3c76_90ce_bb7a_afb0, 0x3fee_bfda_d536_2a27, 0x3c93_1dbd_eb54_e077, 0x3fee_bcb2_99fd_dd0d, 0xbc8f_9434_0071_a38e, 0x3fee_b9b2_769d_2ca7,
    0xbc87_decc_dc93_a349, 0x3fee_b6da_a2cf_6642, 0xbc78_dec6_bd0f_385f, 0x3fee_b42b_569d_4f82, 0xbc86_1246_ec7b_5cf6, 0x3fee_b1a4_ca5d_920f,
    0x3c93_3505_18fd_d78e, 0x3fee_af47_36b5_27da, 0x3c7b_98b7_2f8a_9b05, 0x3fee_ad12_d497_c7fd, 0x3c90_63e1_e21c_5409, 0x3fee_ab07_dd48_5429,
    0x3c34_c785_5019_c6ea, 0x3fee_a926_8a59_46b7, 0x3c94_32e6_2b64_c035, 0x3fee_a76f_15ad_2148, 0xbc8c_e44a_6199_769f, 0x3fee_a5e1_b976_dc09,
    0xbc8c_33c5_3bef_4da8, 0x3fee_a47e_b03a_5585, 0xbc84_5378_892b_e9ae, 0x3fee_a346_34cc_c320, 0xbc93_cedd_7856_5858, 0x3fee_a238_8255_2225,
    0x3c57_10aa_807e_1964, 0x3fee_a155_d44c_a973, 0xbc93_b3ef_bf5e_2228, 0x3fee_a09e_667f_3bcd, 0xbc6a_12ad_8734_b982, 0x3fee_a012_750b_dabf,
    0xbc63_67ef_b86d_a9ee, 0x3fee_9fb2_3c65_1a2f, 0xbc80_dc3d_54e0_8851, 0x3fee_9f7d_f951_9484, 0xbc78_1f64_7e5a_3ecf, 0x3fee_9f75_e8ec_5f74,
    0xbc86_ee4a_c08b_7db0, 0x3fee_9f9a_48a5_8174, 0xbc86_1932_1e55_e68a, 0x3fee_9feb_5642_67c9, 0x3c90_9ccb_5e09_d4d3, 0x3fee_a069_4fde_5d3f,
    0xbc7b_32dc_b94d_a51d, 0x3fee_a114_73eb_0187, 0x3c94_ecfd_5467_c06b, 0x3fee_a1ed_0130_c132, 0x3c65_ebe1_abd6_6c55, 0x3fee_a2f3_36cf_4e62,
    0xbc88_a1c5_2fb3_cf42, 0x3fee_a427_543e_1a12, 0xbc93_69b6_f13b_3734, 0x3fee_a589_994c_ce13, 0xbc80_5e84_3a19_ff1e, 0x3fee_a71a_4623_c7ad,
    0xbc94_d450_d872_576e, 0x3fee_a8d9_9b44_92ed, 0x3c90_ad67_5b0e_8a00, 0x3fee_aac7_d98a_6699, 0x3c8d_b72f_c1f0_eab4, 0x3fee_ace5_422a_a0db,
    0xbc65_b660_9cc5_e7ff, 0x3fee_af32_16b5_448c, 0x3c7b_f683_59f3_5f44, 0x3fee_b1ae_9915_7736, 0xbc93_091f_a71e_3d83, 0x3fee_b45b_0b91_ffc6,
    0xbc5d_a9b8_8b6c_1e29, 0x3fee_b737_b0cd_c5e5, 0xbc6c_23f9_7c90_b959, 0x3fee_ba44_cbc8_520f, 0xbc92_4343_22f4_f9aa, 0x3fee_bd82_9fde_4e50,
    0xbc85_ca6c_d766_8e4b, 0x3fee_c0f1_70ca_07ba, 0x3c71_affc_2b91_ce27, 0x3fee_c491_82a3_f090, 0x3c6d_d235_e10a_73bb, 0x3fee_c863_19e3_2323,
    0xbc87_c504_2262_2263, 0x3fee_cc66_7b5d_e565, 0x3c8b_1c86_e3e2_31d5, 0x3fee_d09b_ec4a_2d33, 0xbc91_bbd1_d3bc_bb15, 0x3fee_d503_b23e_255d,
    0x3c90_cc31_9cee_31d2, 0x3fee_d99e_1330_b358, 0x3c84_6984_6e73_5ab3, 0x3fee_de6b_5579_fdbf, 0xbc82_dfcd_978e_9db4, 0x3fee_e36b_bfd3_f37a,
    0x3c8c_1a77_92cb_3387, 0x3fee_e89f_995a_d3ad, 0xbc90_7b8f_4ad1_d9fa, 0x3fee_ee07_298d_b666, 0xbc55_c3d9_56dc_aeba, 0x3fee_f3a2_b84f_15fb,
    0xbc90_a40e_3da6_f640, 0x3fee_f972_8de5_593a, 0xbc68_d6f4_38ad_9334, 0x3fee_ff76_f2fb_5e47, 0xbc91_eee2_6b58_8a35, 0x3fef_05b0_30a1_064a,
    0x3c74_ffd7_0a5f_ddcd, 0x3fef_0c1e_904b_c1d2, 0xbc91_bdfb_fa92_98ac, 0x3fef_12c2_5bd7_1e09, 0x3c73_6eae_30af_0cb3, 0x3fef_199b_dd85_529c,
    0x3c8e_e332_5c9f_fd94, 0x3fef_20ab_5fff_d07a, 0x3c84_e08f_d109_59ac, 0x3fef_27f1_2e57_d14b, 0x3c63_cdaf_384e_1a67, 0x3fef_2f6d_9406_e7b5,
    0x3c67_6b2c_6c92_1968, 0x3fef_3720_dcef_9069, 0xbc80_8a18_83cc_b5d2, 0x3fef_3f0b_555d_c3fa, 0xbc8f_ad5d_3fff_fa6f, 0x3fef_472d_4a07_897c,
    0xbc90_0dae_3875_a949, 0x3fef_4f87_080d_89f2, 0x3c74_a385_a63d_07a7, 0x3fef_5818_dcfb_a487, 0xbc82_919e_2040_220f, 0x3fef_60e3_16c9_8398,
    0x3c8e_5a50_d5c1_92ac, 0x3fef_69e6_03db_3285, 0x3c84_3a59_ac01_6b4b, 0x3fef_7321_f301_b460, 0xbc82_d521_07b4_3e1f, 0x3fef_7c97_337b_9b5f,
    0xbc89_2ab9_3b47_0dc9, 0x3fef_8646_14f5_a129, 0x3c74_b604_603a_88d3, 0x3fef_902e_e78b_3ff6, 0x3c83_c5ec_519d_7271, 0x3fef_9a51_fbc7_4c83,
    0xbc8f_f712_8fd3_91f0, 0x3fef_a4af_a2a4_90da, 0xbc8d_ae98_e223_747d, 0x3fef_af48_2d8e_67f1, 0x3c8e_c3bc_41aa_2008, 0x3fef_ba1b_ee61_5a27,
    0x3c84_2b94_c3a9_eb32, 0x3fef_c52b_376b_ba97, 0x3c8a_64a9_31d1_85ee, 0x3fef_d076_5b6e_4540, 0xbc8e_37ba_e43b_e3ed, 0x3fef_dbfd_ad9c_be14,
    0x3c77_893b_4d91_cd9d, 0x3fef_e7c1_819e_90d8, 0x3c53_05c1_4160_cc89, 0x3fef_f3c2_2b8f_71f1,
];

/// Coefficients of exp.
#[rustfmt::skip]
pub const EXP_POLYNOMIAL: [u64; 4] = [
    0x3fdf_ffff_ffff_fdbd, 0x3fc5_5555_5555_543c, 0x3fa5_5555_cf17_2b91, 0x3f81_1111_67a4_d017,
];

/// 1/c and log(c) for 128 c.
#[rustfmt::skip]
pub const LOG: [u64; 256] = [
    0x3ff7_34f0_c3e0_de9f, 0xbfd7_cc7f_79e6_9000, 0x3ff7_1378_6a2c_e91f, 0xbfd7_6fee_c20d_0000, 0x3ff6_f260_08fa_b5a0, 0xbfd7_13e3_1351_e000,
    0x3ff6_d1a6_1f13_8c7d, 0xbfd6_b85b_3828_7800, 0x3ff6_b149_0bc5_b4d1, 0xbfd6_5d55_9080_7800, 0x3ff6_9147_332f_0cba, 0xbfd6_02d0_7618_0000,
    0x3ff6_719f_1822_4223, 0xbfd5_a8ca_8690_9000, 0x3ff6_524f_99a5_1ed9, 0xbfd5_4f43_5603_5000, 0x3ff6_3356_aa8f_24c4, 0xbfd4_f637_c36b_4000,
    0x3ff6_14b3_6b9d_dc14, 0xbfd4_9da7_fda8_5000, 0x3ff5_f664_52c6_5c4c, 0xbfd4_4592_3989_a800, 0x3ff5_d867_b591_2c4f, 0xbfd3_edf4_39b0_b800,
    0x3ff5_babc_cb5b_90de, 0xbfd3_96ce_448f_7000, 0x3ff5_9d61_f2d9_1a78, 0xbfd3_401e_17bd_a000, 0x3ff5_8056_1246_5687, 0xbfd2_e9e2_ef46_8000,
    0x3ff5_6397_cee7_6bd3, 0xbfd2_941b_3830_e000, 0x3ff5_4725_e2a7_7f93, 0xbfd2_3ec5_8cda_8800, 0x3ff5_2aff_4206_4583, 0xbfd1_e9e1_2927_9000,
    0x3ff5_0f22_dbb2_bddf, 0xbfd1_956d_2b48_f800, 0x3ff4_f38f_4734_ded7, 0xbfd1_4167_9ab9_f800, 0x3ff4_d843_cfde_2840, 0xbfd0_edd0_94ef_9800,
    0x3ff4_bd3e_c078_a3c8, 0xbfd0_9aa5_18db_1000, 0x3ff4_a27f_c3e0_258a, 0xbfd0_47e6_5263_b800, 0x3ff4_8805_24d4_8434, 0xbfcf_eb22_4586_f000,
    0x3ff4_6dce_1b19_2d0b, 0xbfcf_474a_7517_b000, 0x3ff4_53d9_d339_1854, 0xbfce_a444_3d10_3000, 0x3ff4_3a27_44b4_845a, 0xbfce_020d_44e9_b000,
    0x3ff4_20b5_4115_f8fb, 0xbfcd_60a2_2977_f000, 0x3ff4_0782_da3e_f4b1, 0xbfcc_c001_0495_9000, 0x3ff3_ee8f_5d57_fe8f, 0xbfcc_2029_5689_1000,
    0x3ff3_d5d9_a00b_4ce9, 0xbfcb_8117_8d81_1000, 0x3ff3_bd60_c010_c12b, 0xbfca_e2c9_ccd3_d000, 0x3ff3_a524_2b75_dab8, 0xbfca_4540_2e12_9000,
    0x3ff3_8d22_cd9f_d002, 0xbfc9_a877_681d_f000, 0x3ff3_755b_c584_7a1c, 0xbfc9_0c6d_6948_3000, 0x3ff3_5dce_49ad_36e2, 0xbfc8_7120_a645_c000,
    0x3ff3_4679_984d_d440, 0xbfc7_d68f_b414_3000, 0x3ff3_2f5c_ceff_cb24, 0xbfc7_3cb8_3c62_7000, 0x3ff3_1877_75a1_0d49, 0xbfc6_a39a_9b37_6000,
    0x3ff3_01c8_373e_3990, 0xbfc6_0b31_54b7_a000, 0x3ff2_eb4e_bb95_f841, 0xbfc5_737d_7624_3000, 0x3ff2_d50a_0219_a9d1, 0xbfc4_dc7b_8fc2_3000,
    0x3ff2_bef9_a8b7_fd2a, 0xbfc4_462c_51d2_0000, 0x3ff2_a91c_7a0c_1bab, 0xbfc3_b08a_bc83_0000, 0x3ff2_9372_6014_b530, 0xbfc3_1b99_6b49_0000,
    0x3ff2_7dfa_5757_a1f5, 0xbfc2_8754_90a4_4000, 0x3ff2_68b3_9b1d_3bbf, 0xbfc1_f3b9_f879_a000, 0x3ff2_539d_838f_f5bd, 0xbfc1_60c8_252c_a000,
    0x3ff2_3eb7_aac9_083b, 0xbfc0_ce7f_57f7_2000, 0x3ff2_2a01_2ba9_40b6, 0xbfc0_3cdc_49fe_a000, 0x3ff2_1579_96cc_4132, 0xbfbf_57bd_bc4b_8000,
    0x3ff2_0120_1dd2_fc9b, 0xbfbe_3708_9640_4000, 0x3ff1_ecf4_494d_480b, 0xbfbd_1798_3ef9_4000, 0x3ff1_d8f5_528f_6569, 0xbfbb_f967_4ed8_a000,
    0x3ff1_c523_1157_7e7c, 0xbfba_dc79_202f_6000, 0x3ff1_b17c_74cb_26e9, 0xbfb9_c0c3_e728_8000, 0x3ff1_9e01_0c2c_1ab6, 0xbfb8_a646_b372_c000,
    0x3ff1_8ab0_7bb6_70bd, 0xbfb7_8d01_b3ac_0000, 0x3ff1_778a_25ef_bcb6, 0xbfb6_74f1_4538_0000, 0x3ff1_648d_354c_31da, 0xbfb5_5e0e_6d87_8000,
    0x3ff1_51b9_9027_5fdd, 0xbfb4_485c_dea1_e000, 0x3ff1_3f0e_a432_d24c, 0xbfb3_33d9_4d6a_a000, 0x3ff1_2c8b_7210_f9da, 0xbfb2_2079_f8c5_6000,
    0x3ff1_1a30_28ec_b531, 0xbfb1_0e46_9862_2000, 0x3ff1_07fb_da84_34af, 0xbfaf_fa6c_6ad2_0000, 0x3ff0_f5ee_0f4e_6bb3, 0xbfad_da8d_4a77_4000,
    0x3ff0_e406_5d2a_9fce, 0xbfab_bcec_e485_0000, 0x3ff0_d244_632c_a521, 0xbfa9_a189_4012_c000, 0x3ff0_c0a7_7ce2_981a, 0xbfa7_8858_3302_c000,
    0x3ff0_af2f_83c6_36d1, 0xbfa5_715e_67d6_8000, 0x3ff0_9ddb_98a0_1339, 0xbfa3_5c8a_4965_8000, 0x3ff0_8cab_af52_e7df, 0xbfa1_49e3_6415_4000,
    0x3ff0_7b9f_2f4e_28fb, 0xbf9e_72c0_82eb_8000, 0x3ff0_6ab5_8c35_8f19, 0xbf9a_55f1_5252_8000, 0x3ff0_59ee_a5ec_f92c, 0xbf96_3d62_cf81_8000,
    0x3ff0_4949_cdd1_2c90, 0xbf92_28fb_8caa_0000, 0x3ff0_38c6_c6f0_ada9, 0xbf8c_317b_20f9_0000, 0x3ff0_2865_1379_32a9, 0xbf84_1935_5daa_0000,
    0x3ff0_1824_27ea_7348, 0xbf78_1203_c2ec_0000, 0x3ff0_0804_0614_b195, 0xbf60_0409_7924_0000, 0x3fef_e01f_f726_fa1a, 0x3f6f_eff3_8490_0000,
    0x3fef_a11c_c261_ea74, 0x3f87_dc41_353d_0000, 0x3fef_6310_b081_992e, 0x3f93_cea3_c4c2_8000, 0x3fef_25f6_3cee_adcd, 0x3f9b_9fc1_1489_0000,
    0x3fee_e9c8_0391_13e7, 0x3fa1_b0d8_ce11_0000, 0x3fee_ae80_78cb_b1ab, 0x3fa5_8a5b_d001_c000, 0x3fee_741a_a29d_0c9b, 0x3fa9_5c83_40d8_8000,
    0x3fee_3a91_830a_99b5, 0x3fad_276a_ef57_8000, 0x3fee_01e0_0960_9a56, 0x3fb0_7598_e598_c000, 0x3fed_ca01_e577_bb98, 0x3fb2_53f5_e30d_2000,
    0x3fed_92f2_0b7c_9103, 0x3fb4_2edd_8b38_0000, 0x3fed_5cac_66fb_5cce, 0x3fb6_0659_8757_c000, 0x3fed_272c_aa5e_de9d, 0x3fb7_da76_356a_0000,
    0x3fec_f26e_3e6b_2ccd, 0x3fb9_ab43_4e1c_6000, 0x3fec_be6d_a2a7_7902, 0x3fbb_78c7_bb0d_6000, 0x3fec_8b26_6d37_086d, 0x3fbd_4313_32e7_2000,
    0x3fec_5894_bd5d_5804, 0x3fbf_0a31_71de_6000, 0x3fec_26b5_33bb_9f8c, 0x3fc0_6715_2b91_4000, 0x3feb_f583_eeec_e73f, 0x3fc1_4785_8292_b000,
    0x3feb_c4fd_75db_96c1, 0x3fc2_266e_cdca_3000, 0x3feb_951e_0c86_4a28, 0x3fc3_03d7_a6c5_5000, 0x3feb_65e2_c5ef_3e2c, 0x3fc3_dfc3_3c33_1000,
    0x3feb_3748_67c9_888b, 0x3fc4_ba36_6b7a_8000, 0x3feb_094b_211d_304a, 0x3fc5_9339_28d1_f000, 0x3fea_dbe8_85f2_ef7e, 0x3fc6_6acd_2418_f000,
    0x3fea_af1d_3160_3da2, 0x3fc7_40f8_ec66_9000, 0x3fea_82e6_3fd3_58a7, 0x3fc8_15c0_f51a_f000, 0x3fea_5740_ef09_738b, 0x3fc8_e929_54f6_8000,
    0x3fea_2c2a_90ab_4b27, 0x3fc9_bb36_02f8_4000, 0x3fea_01a0_1393_f2d1, 0x3fca_8bed_1c2c_0000, 0x3fe9_d79f_24db_3c1b, 0x3fcb_5b51_5c01_d000,
    0x3fe9_ae25_05c7_b190, 0x3fcc_2967_ccbc_c000, 0x3fe9_852e_f297_ce2f, 0x3fcc_f635_d548_6000, 0x3fe9_5cba_eea4_4b75, 0x3fcd_c1bd_3446_c000,
    0x3fe9_34c6_9de7_4838, 0x3fce_8c01_b8cf_e000, 0x3fe9_0d4f_2f67_52e6, 0x3fcf_5509_c017_9000, 0x3fe8_e652_8eff_d79d, 0x3fd0_0e6c_121f_b800,
    0x3fe8_bfce_9fcc_007c, 0x3fd0_71b8_0e93_d000, 0x3fe8_99c0_dabe_c30e, 0x3fd0_d46b_9e86_7000, 0x3fe8_7427_aa23_17fb, 0x3fd1_3687_334b_d000,
    0x3fe8_4f00_acb3_9a08, 0x3fd1_980d_6723_4800, 0x3fe8_2a49_e865_3e55, 0x3fd1_f8ff_e0cc_8000, 0x3fe8_0601_95f4_0260, 0x3fd2_595f_d763_6800,
    0x3fe7_e225_63e0_a329, 0x3fd2_b930_0914_a800, 0x3fe7_beb3_77dc_b5ad, 0x3fd3_1872_1043_6000, 0x3fe7_9baa_6797_25c2, 0x3fd3_7726_6dec_1800,
    0x3fe7_7907_f217_0657, 0x3fd3_d54f_fbaf_3000, 0x3fe7_56ca_dbd6_130c, 0x3fd4_32ee_e32f_e000,
];

/// Those c, in two parts each.
#[rustfmt::skip]
pub const LOG_CENTERS: [u64; 256] = [
    0x3fe6_1000_014f_b66b, 0x3c7e_026c_9142_5b3c, 0x3fe6_3000_034d_b495, 0x3c8d_bfea_4800_5d41, 0x3fe6_5000_0d94_d478, 0x3c8e_7fa7_86d6_a5b7,
    0x3fe6_7000_074e_6fad, 0x3c61_fcea_6b54_254c, 0x3fe6_8fff_fedf_0fae, 0xbc7c_7e27_4c59_0efd, 0x3fe6_b000_0763_c5bc, 0xbc8a_c168_48dc_da01,
    0x3fe6_d000_1e5c_c1f6, 0x3c83_3f1c_9d49_9311, 0x3fe6_efff_eb05_f63e, 0xbc7e_8004_1ae2_2d53, 0x3fe7_1000_0e86_9780, 0x3c7b_ff66_7109_7952,
    0x3fe7_2fff_fc67_e912, 0x3c8c_00e2_26bd_8724, 0x3fe7_4fff_df81_116a, 0xbc6e_0291_6ef1_01d2, 0x3fe7_7000_0f67_9c90, 0xbc67_fc71_cd54_9c74,
    0x3fe7_8fff_fa7e_c835, 0x3c81_bec1_9ef5_0483, 0x3fe7_afff_fe20_c2e6, 0xbc70_7e17_29cc_6465, 0x3fe7_cfff_ed3f_c900, 0xbc80_8072_087b_8b1c,
    0x3fe7_efff_e926_1a76, 0x3c8d_c028_6d9d_f9ae, 0x3fe8_1000_049c_a3e8, 0x3c89_7fd2_51e5_4c33, 0x3fe8_3000_1793_2c8f, 0xbc8a_fee9_b630_f381,
    0x3fe8_5000_0633_739c, 0x3c89_bfbf_6b65_35bc, 0x3fe8_7000_2042_89c6, 0xbc8b_bf65_f311_7b75, 0x3fe8_8fff_ebf5_7904, 0xbc89_006e_a23d_cb57,
    0x3fe8_b000_22bc_04df, 0xbc7d_00df_38e0_4b0a, 0x3fe8_cfff_e50c_1b8a, 0xbc88_0071_46ff_9f05, 0x3fe8_efff_fc91_8e43, 0x3c83_817b_d07a_7038,
    0x3fe9_1000_1efa_5fc7, 0x3c89_3e91_76df_b403, 0x3fe9_3000_1346_7bb9, 0x3c7f_804e_4b98_0276, 0x3fe9_4fff_e6ee_076f, 0xbc8f_7ef0_d9ff_622e,
    0x3fe9_6fff_de3c_12d1, 0xbc70_82aa_9626_38ba, 0x3fe9_8fff_f445_8a0d, 0xbc87_801b_9164_a8ef, 0x3fe9_afff_dd98_2e3e, 0xbc87_40e0_8a5a_9337,
    0x3fe9_cfff_ed49_fb66, 0x3c3f_ce08_c19b_e000, 0x3fe9_f000_20f1_9c51, 0xbc8a_3faa_2788_5b0a, 0x3fea_1000_1145_b006, 0x3c74_ff48_9958_da56,
    0x3fea_3000_07bb_f6fa, 0x3c8c_beab_8a2b_6d18, 0x3fea_5000_1097_1d79, 0x3c88_feca_dd78_7930, 0x3fea_7000_1df5_2e48, 0xbc8f_4176_3dd8_abdb,
    0x3fea_9000_1c59_3352, 0xbc8e_bf02_84c2_7612, 0x3fea_b000_2a4f_3e4b, 0xbc69_fd04_3cff_3f5f, 0x3fea_cfff_d7ae_1ed1, 0xbc82_3ee7_1290_70b4,
    0x3fea_efff_ee51_0478, 0x3c6a_063e_e00e_dea3, 0x3feb_0fff_db65_0d5b, 0x3c5a_06c8_381f_0ab9, 0x3feb_2fff_feaa_ca57, 0xbc79_011e_7423_3c1d,
    0x3feb_4fff_d995_badc, 0xbc79_ff10_6886_2a9f, 0x3feb_7000_249e_659c, 0x3c8a_ff45_d086_4f3e, 0x3feb_8fff_f987_1640, 0x3c7c_fe77_96c2_c3f9,
    0x3feb_afff_d204_cb4f, 0xbc63_ff27_eef2_2bc4, 0x3feb_cfff_d241_5c45, 0xbc6c_ffb7_ee3b_ea21, 0x3feb_efff_f863_09df, 0xbc81_4103_972e_0b5c,
    0x3fec_0fff_e1b5_7653, 0x3c8b_c164_94b7_6a19, 0x3fec_2fff_f1fa_57e3, 0xbc64_feef_8d30_c6ed, 0x3fec_4fff_dcbf_e424, 0xbc84_3f68_bcec_4775,
    0x3fec_6fff_ed54_b9f7, 0x3c84_7ea3_f053_e0ec, 0x3fec_8fff_eb99_8fd5, 0x3c73_8306_8df9_92f1, 0x3fec_b000_2125_219a, 0xbc68_fd8e_6418_0e04,
    0x3fec_cfff_dd94_469c, 0x3c8e_7ebe_1cc7_ea72, 0x3fec_efff_eafd_c476, 0x3c8e_be39_ad9f_88fe, 0x3fed_1000_169a_f82b, 0x3c75_7d91_a8b9_5a71,
    0x3fed_3000_0d0f_f71d, 0x3c89_c190_6970_c7da, 0x3fed_4fff_ea79_0fc4, 0xbc58_0e37_c558_fe0c, 0x3fed_7000_2edc_87e5, 0xbc7f_80d6_4dc1_0f44,
    0x3fed_9000_21dc_82aa, 0xbc74_7c8f_94fd_5c5c, 0x3fed_afff_d86b_0283, 0x3c8c_7f1d_c521_617e, 0x3fed_d000_296c_4739, 0x3c88_019e_b2ff_b153,
    0x3fed_efff_e544_90f5, 0x3c6e_00d2_c652_cc89, 0x3fee_0fff_cdab_f694, 0xbc7f_8340_202d_69d2, 0x3fee_2fff_db52_c8dd, 0x3c7b_00c1_ca1b_0864,
    0x3fee_4fff_f242_16ef, 0x3c72_ffa8_b094_ab51, 0x3fee_6fff_e88a_5e11, 0xbc57_f673_b1ef_be59, 0x3fee_9000_119e_ff0d, 0xbc84_808d_5e0b_c801,
    0x3fee_afff_dfa5_1744, 0x3c78_0006_d543_20b5, 0x3fee_d000_1a12_7fa1, 0xbc50_02f8_6056_5c92, 0x3fee_f000_07ba_bcc4, 0xbc85_4044_5d35_e611,
    0x3fef_0fff_f57a_8d02, 0xbc4f_fb31_39ef_9105, 0x3fef_3000_1ee5_8ac7, 0x3c8a_81ac_f273_1155, 0x3fef_4fff_f582_3494, 0x3c8a_3f41_d4d7_c743,
    0x3fef_6fff_fca9_4c6b, 0xbc62_02f4_1c98_7875, 0x3fef_8fff_e1f9_c441, 0x3c77_7dd1_f477_e74b, 0x3fef_afff_d2e0_e37e, 0xbc6f_0119_9a7c_a331,
    0x3fef_d000_1c77_e49e, 0x3c71_81ee_4bce_acb1, 0x3fef_efff_f7e0_c331, 0xbc6e_0537_0170_875a, 0x3ff0_0fff_f465_606e, 0xbc8a_7ead_491c_0ada,
    0x3ff0_2fff_f386_7a58, 0xbc97_7f69_c3fc_b2e0, 0x3ff0_4fff_fdfc_0d17, 0x3c97_bffe_34cb_945b, 0x3ff0_7000_03cd_4d82, 0x3c82_0083_c0e4_56cb,
    0x3ff0_8fff_f9f2_cbe8, 0xbc6d_ffdf_be37_751a, 0x3ff0_b000_010c_da65, 0xbc91_3f7f_aee6_26eb, 0x3ff0_d000_01a4_d338, 0x3c80_7dfa_7948_9ff7,
    0x3ff0_efff_fada_fdfd, 0xbc77_0405_70d6_6bc0, 0x3ff1_1000_0bba_fd96, 0x3c8e_80d4_846d_0b62, 0x3ff1_2fff_fae5_f45d, 0x3c9d_bffa_64fd_36ef,
    0x3ff1_5000_0dd5_9ad9, 0x3c9a_0077_7012_50ae, 0x3ff1_7000_0f21_559a, 0x3c8d_fdf9_e2e3_deee, 0x3ff1_8fff_fc27_5426, 0x3c91_0030_dc3b_7273,
    0x3ff1_b000_123d_3c59, 0x3c99_7f79_8003_0188, 0x3ff1_cfff_f829_9eb7, 0xbc65_f932_ab9f_8c67, 0x3ff1_efff_f48a_d400, 0x3c93_7fbf_9da7_5beb,
    0x3ff2_1000_0c8b_86a4, 0x3c9f_806b_91fd_5b22, 0x3ff2_3000_0385_4303, 0x3c93_ffc2_eb9f_bf33, 0x3ff2_4fff_ffbc_f684, 0x3c76_01e7_7e2e_2e72,
    0x3ff2_6fff_f529_21d9, 0x3c7f_fcbb_767f_0c61, 0x3ff2_9000_1493_3a3c, 0xbc72_02ca_3c02_412b, 0x3ff2_b000_1455_6313, 0xbc92_8082_33f2_1f02,
    0x3ff2_cfff_ebfe_523b, 0xbc88_ff7e_384f_dcf2, 0x3ff2_f000_0bb8_ad96, 0xbc85_ff51_5030_41c5, 0x3ff3_0fff_fb7a_e2af, 0xbc81_0071_885e_289d,
    0x3ff3_2fff_feac_5f7f, 0xbc91_ff5d_3fb7_b715, 0x3ff3_5000_0ca6_6756, 0x3c95_7f82_228b_82bd, 0x3ff3_7000_11fb_f721, 0x3c80_00ba_c40d_d5cc,
    0x3ff3_8fff_f959_2fb9, 0xbc94_3f9d_2db2_a751, 0x3ff3_b000_04dd_d242, 0x3c85_7f6b_7076_38e1, 0x3ff3_cfff_f5b2_c957, 0x3c7a_023a_10bf_1231,
    0x3ff3_efff_eab0_b418, 0x3c98_7f6d_66b1_52b0, 0x3ff4_1000_1532_aff4, 0x3c67_f837_5f19_8524, 0x3ff4_3000_1747_8b29, 0x3c83_01e6_72dc_5143,
    0x3ff4_4fff_e795_b463, 0x3c89_ff69_b8b2_895a, 0x3ff4_6fff_e804_75e0, 0xbc95_c0b1_9bc2_f254, 0x3ff4_8fff_ef6f_c1e7, 0x3c9b_4009_f23a_2a72,
    0x3ff4_afff_e5be_a704, 0xbc94_ffb7_bf0d_7d45, 0x3ff4_d000_1710_27de, 0xbc99_c064_71dc_6a3d, 0x3ff4_f000_0ff0_3ee2, 0x3c97_7f89_0b85_531c,
    0x3ff5_1000_12dc_4bd1, 0x3c60_0465_7166_a436, 0x3ff5_3000_1605_277a, 0xbc96_bfce_ce23_3209, 0x3ff5_4fff_ecdb_704c, 0xbc89_0272_0505_a1d7,
    0x3ff5_6fff_ef5f_54a9, 0x3c9b_bfe6_0ec9_6412, 0x3ff5_9000_17e6_1012, 0x3c88_7ec5_81af_ef90, 0x3ff5_b000_03c9_3e92, 0xbc9f_4108_0abf_0cc0,
    0x3ff5_d000_1d49_19bc, 0xbc98_812a_fb25_4729, 0x3ff5_efff_e7b8_7a89, 0xbc94_7eb7_80ed_6904,
];

/// Coefficients of log.
#[rustfmt::skip]
pub const LOG_POLYNOMIAL: [u64; 5] = [
    0xbfe0_0000_0000_0001, 0x3fd5_5555_5551_305b, 0xbfcf_ffff_ffeb_4590, 0x3fc9_99b3_24f1_0111, 0xbfc5_5575_e506_c89f,
];

/// Those near 1.
#[rustfmt::skip]
pub const LOG_NEAR_ONE: [u64; 11] = [
    0xbfe0_0000_0000_0000, 0x3fd5_5555_5555_5577, 0xbfcf_ffff_ffff_fdcb, 0x3fc9_9999_9995_dd0c, 0xbfc5_5555_5567_45a7, 0x3fc2_4924_a344_de30,
    0xbfbf_ffff_a442_3d65, 0x3fbc_7184_282a_d6ca, 0xbfb9_99eb_43b0_68ff, 0x3fb7_8182_f7af_d085, 0xbfb5_5213_75d1_45cd,
];

/// 1/c and log2(c) for 64 c.
#[rustfmt::skip]
pub const LOG2: [u64; 128] = [
    0x3ff7_2428_6bb1_acf8, 0xbfe1_095f_eecd_b000, 0x3ff6_e1f7_66d2_cca1, 0xbfe0_8494_bd76_d000, 0x3ff6_a13d_0e30_d48a, 0xbfe0_0143_aee8_f800,
    0x3ff6_61ec_32d0_6c85, 0xbfde_fec5_360b_4000, 0x3ff6_23fa_9511_98f8, 0xbfdd_fdd9_1ab7_e000, 0x3ff5_e75b_a4cf_026c, 0xbfdc_ffae_0cc7_9000,
    0x3ff5_ac05_5a21_4fb8, 0xbfdc_0438_11fd_a000, 0x3ff5_71ed_0f16_6e1e, 0xbfdb_0b67_323a_e000, 0x3ff5_3909_590b_f835, 0xbfda_152f_5a2d_b000,
    0x3ff5_014f_ed61_addd, 0xbfd9_217f_5af8_6000, 0x3ff4_cab8_8e48_7bd0, 0xbfd8_304d_b071_9000, 0x3ff4_9539_b433_4fee, 0xbfd7_4189_f9a9_e000,
    0x3ff4_60cb_dfaf_d569, 0xbfd6_552b_b519_9000, 0x3ff4_2d66_4ee4_b953, 0xbfd5_6b23_a29b_1000, 0x3ff3_fb01_111d_d8a6, 0xbfd4_8365_0f5f_a000,
    0x3ff3_c995_b70c_5836, 0xbfd3_9de9_37f6_a000, 0x3ff3_991c_4ab6_fd4a, 0xbfd2_baa1_538d_6000, 0x3ff3_698e_0ce0_99b5, 0xbfd1_d983_40ca_4000,
    0x3ff3_3ae4_8213_e7b2, 0xbfd0_fa85_3a40_e000, 0x3ff3_0d19_1985_bdb1, 0xbfd0_1d9c_32e7_3000, 0x3ff2_e025_cab2_71d7, 0xbfce_857d_a2fa_6000,
    0x3ff2_b404_cf13_cd82, 0xbfcc_d3c8_633d_8000, 0x3ff2_88b0_2c7c_cb50, 0xbfcb_2603_4c14_a000, 0x3ff2_5e22_6394_4de5, 0xbfc9_7c1c_2f4f_e000,
    0x3ff2_3456_3d86_15b1, 0xbfc7_d602_3f80_0000, 0x3ff2_0b46_e33e_af38, 0xbfc6_33a7_1a05_e000, 0x3ff1_e2ee_fdcd_a3dd, 0xbfc4_94f5_e957_0000,
    0x3ff1_bb4a_580b_3930, 0xbfc2_f9e4_24e0_a000, 0x3ff1_9453_847f_2200, 0xbfc1_6259_5afd_c000, 0x3ff1_6e06_c0d5_d73c, 0xbfbf_9c9a_75bd_8000,
    0x3ff1_485f_47b7_e4c2, 0xbfbc_7b57_5bf9_c000, 0x3ff1_2358_ad00_85d1, 0xbfb9_60c6_0ff4_8000, 0x3ff0_fef0_0f53_2227, 0xbfb6_4ce2_47b6_0000,
    0x3ff0_db20_77d0_3a8f, 0xbfb3_3f78_b201_4000, 0x3ff0_b7e6_d659_80d9, 0xbfb0_387d_1a42_c000, 0x3ff0_953e_fe7b_408d, 0xbfaa_6f92_08b5_0000,
    0x3ff0_7325_cac5_3b83, 0xbfa4_7a95_4f77_0000, 0x3ff0_5197_e40d_1b5c, 0xbf9d_23a8_c50c_0000, 0x3ff0_3091_c120_8ea2, 0xbf91_6a26_2978_0000,
    0x3ff0_1010_25b3_7e21, 0xbf77_20f8_d8e8_0000, 0x3fef_c07e_f9ca_a76b, 0x3f86_fe53_b150_0000, 0x3fef_4465_d3f6_f184, 0x3fa1_1ccc_e10f_8000,
    0x3fee_cc07_9f84_107f, 0x3fac_4dfc_8c8b_8000, 0x3fee_573a_9997_5ae8, 0x3fb3_aa32_1e57_4000, 0x3fed_e5d6_f0bd_3de6, 0x3fb9_18a0_d08b_8000,
    0x3fed_77b6_81ff_38b3, 0x3fbe_72e9_da04_4000, 0x3fed_0cb5_724d_e943, 0x3fc1_dcd2_507f_6000, 0x3fec_a4b2_dc0e_7563, 0x3fc4_76ab_03de_a000,
    0x3fec_3f8e_e8d6_cb51, 0x3fc7_0743_77e2_2000, 0x3feb_dd2b_4f02_0c4c, 0x3fc9_8ede_8ba9_4000, 0x3feb_7d6c_0060_15ca, 0x3fcc_0db8_6ad2_e000,
    0x3feb_2036_6e2e_338f, 0x3fce_840a_afce_e000, 0x3fea_c570_2629_5039, 0x3fd0_790a_b467_8000, 0x3fea_6d01_bc27_31dd, 0x3fd1_ac05_6801_c000,
    0x3fea_16d3_bc3f_f18b, 0x3fd2_db11_d4fe_e000, 0x3fe9_c2d1_4967_fead, 0x3fd4_0646_4ec5_8000, 0x3fe9_70e4_f47c_9902, 0x3fd5_2dbe_093a_f000,
    0x3fe9_20fb_3982_bcf2, 0x3fd6_5190_2050_d000, 0x3fe8_d301_87f7_59f1, 0x3fd7_71d2_cdea_f000, 0x3fe8_86e5_ebb9_f66d, 0x3fd8_8e9c_857d_9000,
    0x3fe8_3c97_b658_b994, 0x3fd9_a801_55e1_6000, 0x3fe7_f405_ffc6_1022, 0x3fda_be18_6ed3_d000, 0x3fe7_ad22_1814_15ca, 0x3fdb_d0f2_aea0_e000,
    0x3fe7_67dc_f99e_ff8c, 0x3fdc_e0a4_3dbf_4000,
];

/// Those c, in two parts each.
#[rustfmt::skip]
pub const LOG2_CENTERS: [u64; 128] = [
    0x3fe6_2000_12b9_0a8e, 0x3c89_04ab_0644_b605, 0x3fe6_6000_0457_34a6, 0x3c61_ff9b_ea62_f7a9, 0x3fe6_9fff_c325_f2c5, 0x3c82_7ecf_cb3c_90ba,
    0x3fe6_e000_38b9_5a04, 0x3c88_ff88_5673_9326, 0x3fe7_1fff_e099_94e3, 0x3c8a_fd40_275f_82b1, 0x3fe7_6000_1559_0e10, 0xbc72_fd75_b423_8341,
    0x3fe7_a000_1265_5bd5, 0x3c78_08e6_7c24_2b76, 0x3fe7_e000_3259_e9a6, 0xbc62_08e4_26f6_22b7, 0x3fe8_1fff_edb4_b2d2, 0xbc84_0246_1ea5_c92f,
    0x3fe8_6000_2dfa_fcc3, 0x3c6d_f7f4_a2f2_9a1f, 0x3fe8_9fff_f78c_6b50, 0xbc8e_0453_0949_95fd, 0x3fe8_e000_3967_1566, 0xbc8a_04f3_bec7_7b45,
    0x3fe9_1fff_e2bf_1745, 0xbc77_fa34_400e_203c, 0x3fe9_5fff_cc5c_9fd1, 0xbc76_ff80_05a0_695d, 0x3fe9_a000_3bba_4767, 0x3c70_f8c4_c4ec_7e03,
    0x3fe9_dfff_e7b9_2da5, 0x3c8e_7fd9_478c_4602, 0x3fea_1fff_d72e_fdaf, 0xbc6a_0c55_4dcd_ae7e, 0x3fea_5fff_de04_ff95, 0x3c86_7da9_8ce9_b26b,
    0x3fea_9fff_ca5e_8d2b, 0xbc82_84c9_b54c_13de, 0x3fea_dfff_ddad_03ea, 0x3c58_12c8_ea60_2e3c, 0x3feb_1fff_f10d_3d4d, 0xbc8e_fadd_ad27_789c,
    0x3feb_5fff_ce21_165a, 0x3c53_cb17_19c6_1237, 0x3feb_9fff_d950_e674, 0x3c73_f7d9_4194_ce00, 0x3feb_e000_139c_a8af, 0x3c75_0ac4_215d_9bc0,
    0x3fec_2000_5b46_df99, 0x3c6b_eea6_53e9_c1c9, 0x3fec_6000_40b9_f7ae, 0xbc7c_079f_274a_70d6, 0x3fec_a000_6255_fd8a, 0xbc7a_0b40_76e8_4c1f,
    0x3fec_dfff_d94c_095d, 0x3c88_f933_f99a_b5d7, 0x3fed_1fff_f975_d6cf, 0xbc58_2c08_665f_e1be, 0x3fed_5fff_a256_1c93, 0xbc7b_0428_9bd2_95f3,
    0x3fed_9fff_9d22_8b0c, 0x3c87_0251_340f_a236, 0x3fed_e000_65bc_7e16, 0xbc75_011e_16a4_d80c, 0x3fee_2000_02f6_4791, 0x3c89_802f_09ef_62e0,
    0x3fee_6000_57d7_a6d8, 0xbc7e_0b75_580c_f7fa, 0x3fee_a000_27ed_c00c, 0xbc8c_8483_0945_9811, 0x3fee_e000_6cf5_cb7c, 0xbc8f_8027_9515_76f4,
    0x3fef_2000_782b_7dcc, 0xbc8f_81d9_7274_538f, 0x3fef_6000_260c_450a, 0xbc40_7100_2727_ffdc, 0x3fef_9fff_e88c_d533, 0xbc58_1bdc_e1fd_a8b0,
    0x3fef_dfff_d50f_8689, 0x3c87_f91a_cb91_8e6e, 0x3ff0_2000_0429_2367, 0x3c9b_7ff3_6532_4681, 0x3ff0_5fff_e3e3_d668, 0x3c86_fa08_ddae_957b,
    0x3ff0_a000_0a85_a757, 0xbc57_e2de_80d3_fb91, 0x3ff0_e000_1a5f_3fcc, 0xbc91_8233_05c5_f014, 0x3ff1_1fff_f8af_baf5, 0xbc8b_fabb_6680_bac2,
    0x3ff1_5fff_e54d_91ad, 0xbc9d_7f12_1737_e7ef, 0x3ff1_a000_11ac_36e1, 0x3c9c_000a_0516_f5ff, 0x3ff1_e000_19c8_4248, 0xbc90_82fb_e4da_5da0,
    0x3ff2_2000_0ffe_5e6e, 0xbc88_fdd0_4c9c_fb43, 0x3ff2_6000_269f_d891, 0x3c8c_fe2a_7994_d182, 0x3ff2_a000_29a6_e6da, 0xbc70_0273_715e_8bc5,
    0x3ff2_dfff_e029_3e39, 0x3c9b_7c39_dab2_a6f9, 0x3ff3_1fff_f7dc_f082, 0x3c7d_f133_6edc_5254, 0x3ff3_5fff_f05a_8b60, 0xbc9e_0356_4ccd_31eb,
    0x3ff3_a000_2e0e_aecc, 0x3c75_f0e7_4bd3_a477, 0x3ff3_e000_043b_b236, 0x3c9c_7dcb_149d_8833, 0x3ff4_2000_02d1_87ff, 0x3c7e_08af_cf2d_3d28,
    0x3ff4_6000_0d38_7cb1, 0x3c82_0837_8565_99a6, 0x3ff4_a000_0456_9f89, 0xbc89_fa5c_904f_bcd2, 0x3ff4_e000_0435_43f3, 0xbc78_1125_ed17_5329,
    0x3ff5_1fff_cc02_7f0f, 0x3c98_83d8_8477_54dc, 0x3ff5_5fff_fd87_b36f, 0xbc87_09e7_31d0_2807, 0x3ff5_9fff_f21d_f7ba, 0x3c87_f79f_6872_7b02,
    0x3ff5_dfff_ebfc_3481, 0xbc91_8090_2e30_e93e,
];

/// Coefficients of log2.
#[rustfmt::skip]
pub const LOG2_POLYNOMIAL: [u64; 6] = [
    0xbfe7_1547_652b_8339, 0x3fde_c709_dc3a_04be, 0xbfd7_1547_6470_2ffb, 0x3fd2_776c_5003_4c48, 0xbfce_c7b3_28ea_92bc, 0x3fca_6225_e117_f92e,
];

/// Those near 1.
#[rustfmt::skip]
pub const LOG2_NEAR_ONE: [u64; 10] = [
    0xbfe7_1547_652b_82fe, 0x3fde_c709_dc3a_03f7, 0xbfd7_1547_652b_7c3f, 0x3fd2_776c_50f0_5be4, 0xbfce_c709_dd76_8fe5, 0x3fca_6176_1ec4_e736,
    0xbfc7_153f_bc64_a79b, 0x3fc4_84d1_54f0_1b4a, 0xbfc2_89e4_a72c_383c, 0x3fc0_b32f_285a_ee66,
];

/// 1/c, log(c) and its tail for 128 c.
#[rustfmt::skip]
pub const POWER: [u64; 384] = [
    0x3ff6_a000_0000_0000, 0xbfd6_2c82_f2b9_c800, 0x3cfa_b424_2837_5680, 0x3ff6_8000_0000_0000, 0xbfd5_d1bd_bf58_0800, 0xbd1c_a508_d8e0_f720,
    0x3ff6_6000_0000_0000, 0xbfd5_7677_1745_5800, 0xbd23_62a4_d5b6_506d, 0x3ff6_4000_0000_0000, 0xbfd5_1aad_872d_f800, 0xbce6_84e4_9eb0_67d5,
    0x3ff6_2000_0000_0000, 0xbfd4_be5f_9577_7800, 0xbd04_1b69_9329_3ee0, 0x3ff6_0000_0000_0000, 0xbfd4_618b_c21c_6000, 0x3d13_d82f_484c_84cc,
    0x3ff5_e000_0000_0000, 0xbfd4_0430_8686_a800, 0x3cdc_42f3_ed82_0b3a, 0x3ff5_c000_0000_0000, 0xbfd3_a64c_5569_4800, 0x3d20_b1c6_8651_9460,
    0x3ff5_a000_0000_0000, 0xbfd3_47dd_9a98_8000, 0x3d25_594d_d4c5_8092, 0x3ff5_8000_0000_0000, 0xbfd2_e8e2_bae1_2000, 0x3d26_7b1e_99b7_2bd8,
    0x3ff5_6000_0000_0000, 0xbfd2_895a_13de_8800, 0x3d15_ca14_b6cf_b03f, 0x3ff5_6000_0000_0000, 0xbfd2_895a_13de_8800, 0x3d15_ca14_b6cf_b03f,
    0x3ff5_4000_0000_0000, 0xbfd2_2941_fbcf_7800, 0xbd16_5a24_2853_da76, 0x3ff5_2000_0000_0000, 0xbfd1_c898_c169_9800, 0xbd1f_afbc_68e7_5404,
    0x3ff5_0000_0000_0000, 0xbfd1_675c_abab_a800, 0x3d1f_1fc6_3382_a8f0, 0x3ff4_e000_0000_0000, 0xbfd1_058b_f9ae_4800, 0xbd26_a8c4_fd05_5a66,
    0x3ff4_c000_0000_0000, 0xbfd0_a324_e273_9000, 0xbd0c_6bee_7ef4_030e, 0x3ff4_a000_0000_0000, 0xbfd0_4025_94b4_d000, 0xbcf0_36b8_9ef4_2d7f,
    0x3ff4_a000_0000_0000, 0xbfd0_4025_94b4_d000, 0xbcf0_36b8_9ef4_2d7f, 0x3ff4_8000_0000_0000, 0xbfcf_b918_6d5e_4000, 0x3d0d_572a_ab99_3c87,
    0x3ff4_6000_0000_0000, 0xbfce_f0ad_cbdc_6000, 0x3d2b_26b7_9c86_af24, 0x3ff4_4000_0000_0000, 0xbfce_2707_6e2a_f000, 0xbd17_2f4f_543f_ff10,
    0x3ff4_2000_0000_0000, 0xbfcd_5c21_6b4f_c000, 0x3d21_ba91_bbca_681b, 0x3ff4_0000_0000_0000, 0xbfcc_8ff7_c79a_a000, 0x3d27_794f_689f_8434,
    0x3ff4_0000_0000_0000, 0xbfcc_8ff7_c79a_a000, 0x3d27_794f_689f_8434, 0x3ff3_e000_0000_0000, 0xbfcb_c286_742d_9000, 0x3d19_4eb0_318b_b78f,
    0x3ff3_c000_0000_0000, 0xbfca_f3c9_4e80_c000, 0x3cba_4e63_3fcd_9066, 0x3ff3_a000_0000_0000, 0xbfca_23bc_1fe2_b000, 0xbd25_8c64_dc46_c1ea,
    0x3ff3_a000_0000_0000, 0xbfca_23bc_1fe2_b000, 0xbd25_8c64_dc46_c1ea, 0x3ff3_8000_0000_0000, 0xbfc9_525a_9cf4_5000, 0xbd2a_d1d9_04c1_d4e3,
    0x3ff3_6000_0000_0000, 0xbfc8_7fa0_6520_d000, 0x3d2b_bdbf_7fdb_fa09, 0x3ff3_4000_0000_0000, 0xbfc7_ab89_0210_e000, 0x3d2b_db90_7253_4a58,
    0x3ff3_4000_0000_0000, 0xbfc7_ab89_0210_e000, 0x3d2b_db90_7253_4a58, 0x3ff3_2000_0000_0000, 0xbfc6_d60f_e719_d000, 0xbd10_e46a_a3b2_e266,
    0x3ff3_0000_0000_0000, 0xbfc5_ff30_70a7_9000, 0xbd1e_9e43_9f10_5039, 0x3ff3_0000_0000_0000, 0xbfc5_ff30_70a7_9000, 0xbd1e_9e43_9f10_5039,
    0x3ff2_e000_0000_0000, 0xbfc5_26e5_e3a1_b000, 0xbd20_de8b_9007_5b8f, 0x3ff2_c000_0000_0000, 0xbfc4_4d2b_6ccb_8000, 0x3d17_0cc1_6135_783c,
    0x3ff2_c000_0000_0000, 0xbfc4_4d2b_6ccb_8000, 0x3d17_0cc1_6135_783c, 0x3ff2_a000_0000_0000, 0xbfc3_71fc_201e_9000, 0x3cf1_7886_4d27_543a,
    0x3ff2_8000_0000_0000, 0xbfc2_9552_f81f_f000, 0xbd24_8d30_1771_c408, 0x3ff2_6000_0000_0000, 0xbfc1_b72a_d52f_6000, 0xbd2e_80a4_1811_a396,
    0x3ff2_6000_0000_0000, 0xbfc1_b72a_d52f_6000, 0xbd2e_80a4_1811_a396, 0x3ff2_4000_0000_0000, 0xbfc0_d77e_7cd0_9000, 0x3d0a_6996_88e8_5bf4,
    0x3ff2_4000_0000_0000, 0xbfc0_d77e_7cd0_9000, 0x3d0a_6996_88e8_5bf4, 0x3ff2_2000_0000_0000, 0xbfbf_ec91_31db_e000, 0xbd25_7554_5ca3_33f2,
    0x3ff2_0000_0000_0000, 0xbfbe_2707_6e2b_0000, 0x3d2a_342c_2af0_003c, 0x3ff2_0000_0000_0000, 0xbfbe_2707_6e2b_0000, 0x3d2a_342c_2af0_003c,
    0x3ff1_e000_0000_0000, 0xbfbc_5e54_8f5b_c000, 0xbd1d_0c57_585f_be06, 0x3ff1_c000_0000_0000, 0xbfba_926d_3a4a_e000, 0x3d25_3935_e85b_aac8,
    0x3ff1_c000_0000_0000, 0xbfba_926d_3a4a_e000, 0x3d25_3935_e85b_aac8, 0x3ff1_a000_0000_0000, 0xbfb8_c345_d631_a000, 0x3d13_7c29_4d2f_5668,
    0x3ff1_a000_0000_0000, 0xbfb8_c345_d631_a000, 0x3d13_7c29_4d2f_5668, 0x3ff1_8000_0000_0000, 0xbfb6_f0d2_8ae5_6000, 0xbd26_9737_c933_73da,
    0x3ff1_6000_0000_0000, 0xbfb5_1b07_3f06_2000, 0x3d1f_025b_61c6_5e57, 0x3ff1_6000_0000_0000, 0xbfb5_1b07_3f06_2000, 0x3d1f_025b_61c6_5e57,
    0x3ff1_4000_0000_0000, 0xbfb3_41d7_961b_e000, 0x3d2c_5eda_ccf9_13df, 0x3ff1_4000_0000_0000, 0xbfb3_41d7_961b_e000, 0x3d2c_5eda_ccf9_13df,
    0x3ff1_2000_0000_0000, 0xbfb1_6536_eea3_8000, 0x3d14_7c5e_768f_a309, 0x3ff1_0000_0000_0000, 0xbfaf_0a30_c011_8000, 0x3d2d_599e_8336_8e91,
    0x3ff1_0000_0000_0000, 0xbfaf_0a30_c011_8000, 0x3d2d_599e_8336_8e91, 0x3ff0_e000_0000_0000, 0xbfab_42dd_7119_8000, 0x3d1c_827a_e5d6_704c,
    0x3ff0_e000_0000_0000, 0xbfab_42dd_7119_8000, 0x3d1c_827a_e5d6_704c, 0x3ff0_c000_0000_0000, 0xbfa7_7458_f632_c000, 0xbd2c_fc46_34f2_a1ee,
    0x3ff0_c000_0000_0000, 0xbfa7_7458_f632_c000, 0xbd2c_fc46_34f2_a1ee, 0x3ff0_a000_0000_0000, 0xbfa3_9e87_b9fe_c000, 0x3cf5_02b7_f526_feaa,
    0x3ff0_a000_0000_0000, 0xbfa3_9e87_b9fe_c000, 0x3cf5_02b7_f526_feaa, 0x3ff0_8000_0000_0000, 0xbf9f_829b_0e78_0000, 0xbd29_8026_7c7e_09e4,
    0x3ff0_8000_0000_0000, 0xbf9f_829b_0e78_0000, 0xbd29_8026_7c7e_09e4, 0x3ff0_6000_0000_0000, 0xbf97_b91b_07d5_8000, 0xbd28_8d54_93fa_a639,
    0x3ff0_4000_0000_0000, 0xbf8f_c0a8_b0fc_0000, 0xbcdf_1e7c_f6d3_a69c, 0x3ff0_4000_0000_0000, 0xbf8f_c0a8_b0fc_0000, 0xbcdf_1e7c_f6d3_a69c,
    0x3ff0_2000_0000_0000, 0xbf7f_e02a_6b10_0000, 0xbd19_e23f_0dda_40e4, 0x3ff0_2000_0000_0000, 0xbf7f_e02a_6b10_0000, 0xbd19_e23f_0dda_40e4,
    0x3ff0_0000_0000_0000, 0x0000_0000_0000_0000, 0x0000_0000_0000_0000, 0x3ff0_0000_0000_0000, 0x0000_0000_0000_0000, 0x0000_0000_0000_0000,
    0x3fef_c000_0000_0000, 0x3f80_1015_7589_0000, 0xbd10_c76b_999d_2be8, 0x3fef_8000_0000_0000, 0x3f90_2056_5893_8000, 0xbd23_dc5b_06e2_f7d2,
    0x3fef_4000_0000_0000, 0x3f98_4925_28c9_0000, 0xbd2a_a0ba_325a_0c34, 0x3fef_0000_0000_0000, 0x3fa0_415d_89e7_4000, 0x3d01_11c0_5cf1_d753,
    0x3fee_c000_0000_0000, 0x3fa4_66ae_d42e_0000, 0xbd2c_1673_75bd_fd28, 0x3fee_8000_0000_0000, 0x3fa8_94aa_149f_c000, 0xbd19_7995_d05a_267d,
    0x3fee_4000_0000_0000, 0x3fac_cb73_cddd_c000, 0xbd1a_68f2_47d8_2807, 0x3fee_2000_0000_0000, 0x3fae_ea31_c006_c000, 0xbd0e_113e_4fc9_3b7b,
    0x3fed_e000_0000_0000, 0x3fb1_973b_d146_6000, 0xbd25_325d_560d_9e9b, 0x3fed_a000_0000_0000, 0x3fb3_bdf5_a7d1_e000, 0x3d2c_c85e_a5db_4ed7,
    0x3fed_6000_0000_0000, 0x3fb5_e95a_4d97_a000, 0xbd2c_6906_3c5d_1d1e, 0x3fed_4000_0000_0000, 0x3fb7_00d3_0aea_c000, 0x3cec_1e8d_a99d_ed32,
    0x3fed_0000_0000_0000, 0x3fb9_335e_5d59_4000, 0x3d23_115c_3abd_47da, 0x3fec_c000_0000_0000, 0x3fbb_6ac8_8dad_6000, 0xbd13_9080_2bf7_68e5,
    0x3fec_a000_0000_0000, 0x3fbc_8858_01bc_4000, 0x3d26_46d1_c65a_acd3, 0x3fec_6000_0000_0000, 0x3fbe_c739_830a_2000, 0xbd2d_c068_afe6_45e0,
    0x3fec_4000_0000_0000, 0x3fbf_e891_39db_e000, 0xbd25_34d6_4fa1_0afd, 0x3fec_0000_0000_0000, 0x3fc1_178e_8227_e000, 0x3d21_ef78_ce2d_07f2,
    0x3feb_e000_0000_0000, 0x3fc1_aa2b_7e23_f000, 0x3d2c_a78e_4438_9934, 0x3feb_a000_0000_0000, 0x3fc2_d161_0c86_8000, 0x3d03_9d6c_cb81_b4a1,
    0x3feb_8000_0000_0000, 0x3fc3_65fc_b015_9000, 0x3cc6_2fa8_234b_7289, 0x3feb_4000_0000_0000, 0x3fc4_913d_8333_b000, 0x3d25_8379_54fd_b678,
    0x3feb_2000_0000_0000, 0x3fc5_27e5_e4a1_b000, 0x3d26_33e8_e569_7dc7, 0x3fea_e000_0000_0000, 0x3fc6_574e_be8c_1000, 0x3d19_cf8b_2c3c_2e78,
    0x3fea_c000_0000_0000, 0x3fc6_f012_8b75_7000, 0xbd25_118d_e59c_21e1, 0x3fea_a000_0000_0000, 0x3fc7_898d_8544_5000, 0xbd1c_6610_7091_4305,
    0x3fea_6000_0000_0000, 0x3fc8_beaf_eb39_0000, 0xbd07_3d54_aae9_2cd1, 0x3fea_4000_0000_0000, 0x3fc9_5a5a_dcf7_0000, 0x3d07_f228_58a0_ff6f,
    0x3fea_0000_0000_0000, 0x3fca_93ed_3c8a_e000, 0xbd28_7243_5056_2169, 0x3fe9_e000_0000_0000, 0x3fcb_31d8_575b_d000, 0xbd0c_358d_4eac_e1aa,
    0x3fe9_c000_0000_0000, 0x3fcb_d087_383b_e000, 0xbd2d_4bc4_5954_12b6, 0x3fe9_a000_0000_0000, 0x3fcc_6ffb_c6f0_1000, 0xbcf1_ec72_c596_2bd2,
    0x3fe9_6000_0000_0000, 0x3fcd_b13d_b0d4_9000, 0xbd2a_ff2a_f715_b035, 0x3fe9_4000_0000_0000, 0x3fce_530e_ffe7_1000, 0x3cc2_1227_6041_f430,
    0x3fe9_2000_0000_0000, 0x3fce_f5ad_e4dd_0000, 0xbcca_2115_65bb_8e11, 0x3fe9_0000_0000_0000, 0x3fcf_991c_6cb3_b000, 0x3d1b_cbec_ca0c_df30,
    0x3fe8_c000_0000_0000, 0x3fd0_7138_604d_5800, 0x3cf8_9cdb_16ed_4e91, 0x3fe8_a000_0000_0000, 0x3fd0_c42d_6761_6000, 0x3d27_188b_163c_eae9,
    0x3fe8_8000_0000_0000, 0x3fd1_178e_8227_e800, 0xbd2c_210e_63a5_f01c, 0x3fe8_6000_0000_0000, 0x3fd1_6b5c_cbac_f800, 0x3d2b_9acd_f7a5_1681,
    0x3fe8_4000_0000_0000, 0x3fd1_bf99_635a_6800, 0x3d2c_a6ed_5147_bdb7, 0x3fe8_2000_0000_0000, 0x3fd2_1445_6d0e_b800, 0x3d0a_87de_ba46_baea,
    0x3fe7_e000_0000_0000, 0x3fd2_bef0_7cdc_9000, 0x3d2a_9cfa_4a50_04f4, 0x3fe7_c000_0000_0000, 0x3fd3_14f1_e1d3_6000, 0xbd28_e27a_d321_3cb8,
    0x3fe7_a000_0000_0000, 0x3fd3_6b67_76be_1000, 0x3d11_6ecd_b0f1_77c8, 0x3fe7_8000_0000_0000, 0x3fd3_c252_7733_3000, 0x3d18_3b54_b606_bd5c,
    0x3fe7_6000_0000_0000, 0x3fd4_19b4_23d5_e800, 0x3d08_e436_ec90_e09d, 0x3fe7_4000_0000_0000, 0x3fd4_718d_c271_c800, 0xbd2f_27ce_0967_d675,
    0x3fe7_2000_0000_0000, 0x3fd4_c9e0_9e17_3000, 0xbd2e_2089_1b0a_d8a4, 0x3fe7_0000_0000_0000, 0x3fd5_22ae_0738_a000, 0x3d2e_be70_8164_c759,
    0x3fe6_e000_0000_0000, 0x3fd5_7bf7_53c8_d000, 0x3d1f_aded_ee5d_40ef, 0x3fe6_c000_0000_0000, 0x3fd5_d5bd_df59_6000, 0xbd0a_0b2a_08a4_65dc,
];

/// Coefficients of the logarithm of powers.
#[rustfmt::skip]
pub const POWER_POLYNOMIAL: [u64; 7] = [
    0xbfe0_0000_0000_0000, 0xbfe5_5555_5555_5560, 0x3fe0_0000_0000_0006, 0x3fe9_9999_9959_554e, 0xbfe5_5555_5529_a47a, 0xbff2_495b_9b48_45e9,
    0x3ff0_002b_8b26_3fc3,
];
