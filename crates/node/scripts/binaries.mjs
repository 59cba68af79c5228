// Reads from a shared library for which system and processor it is, and from one for Linux which libraries and versions
// of symbols it needs.
// https://refspecs.linuxbase.org/LSB_5.0.0/LSB-Core-generic/LSB-Core-generic/symversion.html

const SHT_STRTAB = 3;
const SHT_DYNAMIC = 6;
const SHT_GNU_VERNEED = 0x6ffffffe;
const DT_NEEDED = 1;
const MACHINES = { 62: 'x64', 183: 'arm64' };

/**
 * @param {Buffer} file a shared library of 64 bits, little-endian
 * @returns {{ cpu: string | undefined, libraries: string[], versions: string[] }} the processor as Node.js names it,
 * the needed libraries, and the needed versions of their symbols, such as GLIBC_2.28
 */
export function readNeeds(file) {
  if (file.toString('latin1', 0, 6) !== '\x7fELF\x02\x01') throw new Error('not a little-endian ELF file of 64 bits');
  const start = Number(file.readBigUInt64LE(0x28));
  const size = file.readUInt16LE(0x3a);
  const sections = Array.from({ length: file.readUInt16LE(0x3c) }, (_, at) => {
    const header = start + at * size;
    return {
      type: file.readUInt32LE(header + 4),
      offset: Number(file.readBigUInt64LE(header + 0x18)),
      size: Number(file.readBigUInt64LE(header + 0x20)),
      link: file.readUInt32LE(header + 0x28),
      info: file.readUInt32LE(header + 0x2c),
    };
  });
  /** The string at an offset of the string table that belongs to a section. */
  const string = ({ link }, offset) => {
    const table = sections[link];
    if (table.type !== SHT_STRTAB) throw new Error('not a string table');
    const from = table.offset + offset;
    return file.toString('latin1', from, file.indexOf(0, from));
  };
  const libraries = [];
  const versions = [];
  for (const section of sections) {
    if (section.type === SHT_DYNAMIC) {
      for (let at = section.offset; at < section.offset + section.size; at += 16) {
        if (Number(file.readBigUInt64LE(at)) === DT_NEEDED) libraries.push(string(section, Number(file.readBigUInt64LE(at + 8))));
      }
    }
    if (section.type === SHT_GNU_VERNEED) {
      // The section has one record for each library, and each record has a chain with one entry for each version.
      let record = section.offset;
      for (let count = section.info; count > 0; count--) {
        let version = record + file.readUInt32LE(record + 8);
        for (let left = file.readUInt16LE(record + 2); left > 0; left--) {
          versions.push(string(section, file.readUInt32LE(version + 8)));
          version += file.readUInt32LE(version + 12);
        }
        record += file.readUInt32LE(record + 12);
      }
    }
  }
  return { cpu: MACHINES[file.readUInt16LE(0x12)], libraries, versions };
}

/** Whether the version `a`, for example '10.12', is later than `b`. */
export function isLater(a, b) {
  const [x, y] = [a, b].map((version) => version.split('.').map(Number));
  return x[0] > y[0] || (x[0] === y[0] && x[1] > y[1]);
}

/**
 * The system and the processor, as Node.js names them, of a shared library for macOS (Mach-O) or Windows (PE), and the
 * oldest macOS that it runs on.
 * https://learn.microsoft.com/windows/win32/debug/pe-format
 */
export function readHead(file) {
  if (file.length >= 0x40 && file.toString('latin1', 0, 2) === 'MZ') {
    const start = file.readUInt32LE(0x3c);
    if (file.toString('latin1', start, start + 4) === 'PE\0\0') {
      return { os: 'win32', cpu: { 0x8664: 'x64', 0xaa64: 'arm64' }[file.readUInt16LE(start + 4)] };
    }
  }
  if (file.length < 0x20 || file.readUInt32LE(0) !== 0xfeedfacf) throw new Error('neither PE nor Mach-O of 64 bits');
  const cpu = { 0x1000007: 'x64', 0x100000c: 'arm64' }[file.readUInt32LE(4)];
  for (let count = file.readUInt32LE(0x10), at = 0x20; count > 0; count--, at += file.readUInt32LE(at + 4)) {
    // LC_BUILD_VERSION, and LC_VERSION_MIN_MACOSX of older linkers.
    const place = { 0x32: 12, 0x24: 8 }[file.readUInt32LE(at)];
    if (place === undefined) continue;
    const version = file.readUInt32LE(at + place);
    return { os: 'darwin', cpu, minimum: `${version >>> 16}.${(version >>> 8) & 0xff}` };
  }
  throw new Error('the library does not say which macOS it needs');
}

/** The versions of glibc's symbols that are newer than `latest`, for example '2.28'. */
export function laterThan(latest, versions) {
  return versions.filter((version) => isLater(/^GLIBC_(\d+\.\d+)/.exec(version)?.[1] ?? '0.0', latest));
}
