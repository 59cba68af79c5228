// Every split of every sequence of every encoding, with and without the options fatal and ignoreBOM.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TextDecoder, encode, labelToName } from '@textcodec/node';

const LABELS = [
  'utf-8', 'ibm866', 'iso-8859-2', 'iso-8859-3', 'iso-8859-4', 'iso-8859-5', 'iso-8859-6', 'iso-8859-7', 'iso-8859-8',
  'iso-8859-8-i', 'iso-8859-10', 'iso-8859-13', 'iso-8859-14', 'iso-8859-15', 'iso-8859-16', 'koi8-r', 'koi8-u', 'macintosh',
  'windows-874', 'windows-1250', 'windows-1251', 'windows-1252', 'windows-1253', 'windows-1254', 'windows-1255',
  'windows-1256', 'windows-1257', 'windows-1258', 'x-mac-cyrillic', 'gbk', 'gb18030', 'big5', 'euc-jp', 'iso-2022-jp',
  'shift_jis', 'euc-kr', 'utf-16be', 'utf-16le', 'x-user-defined',
];

const SEQUENCES = [
  '', '61', 'efbbbf', 'efbbbfefbbbf61', '61efbbbf', 'efbb61', 'feff0061', 'fffe6100', 'fffefffe', 'c3a9e282ac', 'f09f92a9',
  'f09f92', 'f0908061', 'eda080', 'c080f5', 'fdef', '3dd8a9dc', 'd83ddca9', 'd800d800dc00', '00d800d800dc', '81308130',
  '81308161', '813081', '813080', '8431a437', '8141a1a1', '82a0b15c7e', '88628862', '8eb18fb0a1', '8fa161', 'a4a2a461',
  '80a0ff', '1b242424221b2842', '1b244224', '1b284a5c1b284931', '1b284a5c805c', '1b284a1b28420e61', '1b28581b24', '1b1b28',
].map((hex) => Buffer.from(hex, 'hex'));

/** The results of calls of decode: each text, and null for an error, after which there are no more results. */
function run(decoder, pieces) {
  let text = '';
  try {
    for (const piece of pieces) text += decoder.decode(piece, { stream: true });
    return text + decoder.decode();
  } catch (error) {
    assert.ok(error instanceof TypeError);
    return null;
  }
}

for (const label of LABELS) {
  test(labelToName(label), () => {
    const sequences = [...SEQUENCES, ...['é€', 'Жβ', 'あ高', '가中', '丂𠀀'].map((text) => encode(text, label))];
    for (const fatal of [false, true]) {
      for (const ignoreBOM of [false, true]) {
        const options = { fatal, ignoreBOM };
        const reused = new TextDecoder(label, options);
        for (const sequence of sequences) {
          let expected = null;
          try {
            expected = new TextDecoder(label, options).decode(sequence);
          } catch (error) {
            assert.ok(fatal && error instanceof TypeError);
          }
          for (let end = 0; end <= sequence.length; end++) {
            for (let start = 0; start <= end; start++) {
              const pieces = [sequence.subarray(0, start), sequence.subarray(start, end), sequence.subarray(end)];
              const place = () => `${sequence.toString('hex')} ${JSON.stringify(options)} at ${start} and ${end}`;
              assert.equal(run(new TextDecoder(label, options), pieces), expected, place());
              if (!fatal) assert.equal(run(reused, pieces), expected, place());
            }
          }
        }
      }
    }
  });
}
