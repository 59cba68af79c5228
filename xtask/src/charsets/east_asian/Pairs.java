import java.nio.*;
import java.nio.charset.*;
import java.util.*;

/** Prints what single bytes and pairs mean to Java. Arguments: a name and a shape. */
public class Pairs {
    private static CharsetDecoder decoder;

    private static String decode(byte[] bytes) {
        try {
            String text = decoder.decode(ByteBuffer.wrap(bytes)).toString();
            return text.isEmpty() || text.indexOf(0xFFFD) >= 0 ? null : text;
        } catch (CharacterCodingException error) {
            return null;
        }
    }

    private static void show(String bytes, String text) {
        StringJoiner joiner = new StringJoiner("+");
        text.codePoints().forEach(point -> joiner.add(String.format("%04X", point)));
        System.out.println(bytes + " " + joiner);
    }

    public static void main(String[] arguments) {
        decoder = Charset.forName(arguments[0]).newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT).onUnmappableCharacter(CodingErrorAction.REPORT);
        boolean shifts = arguments[1].equals("shifts");
        Set<Integer> singles = new HashSet<>();
        for (int byte1 = 0; byte1 < 256; byte1++) {
            String text = decode(new byte[] {(byte) byte1});
            if (text != null && !(shifts && (byte1 == 0x0E || byte1 == 0x0F))) {
                singles.add(byte1);
                show(String.format("%02X", byte1), text);
            }
        }
        for (int lead = shifts ? 0x40 : 0x80; lead < 0xFF; lead++) {
            if (!shifts && singles.contains(lead)) continue;
            for (int trail = 0x30; trail < 0xFF; trail++) {
                byte[] pair = shifts ? new byte[] {0x0E, (byte) lead, (byte) trail, 0x0F}
                    : new byte[] {(byte) lead, (byte) trail};
                String text = decode(pair);
                if (text != null) {
                    show(String.format("%02X%02X", lead, trail), text);
                } else if (!shifts && lead == 0x8F) {
                    for (int last = 0xA1; last < 0xFF; last++) {
                        text = decode(new byte[] {(byte) lead, (byte) trail, (byte) last});
                        if (text != null) show(String.format("%02X%02X%02X", lead, trail, last), text);
                    }
                }
            }
        }
    }
}
