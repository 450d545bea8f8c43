package dev.cairn.engine.layout;

import dev.cairn.engine.schema.TableName;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The parsed name of a file in a store's directory, as HBase 2.6 names them:
 *
 * <pre>
 *   hfile                              an HFile: hexadecimal digits, [ _SeqId_number_ | _del ]
 *   [namespace=]table=region-hfile     an empty file: a link to an HFile of that region
 *   hfile.region, link.region          a {@link Reference} to a part of that region's file
 * </pre>
 *
 * A name that is none of these is a file's own.
 */
public sealed interface StoreFileName {
  /** Returns the name itself. */
  String text();

  /** Returns the name of the HFile that holds the cells, wherever it lies. */
  String hfile();

  /** An HFile. */
  record Plain(String text) implements StoreFileName {
    @Override
    public String hfile() {
      return text;
    }
  }

  /**
   * A link to an HFile of the same family.
   *
   * @param table the table whose file it is or was
   * @param region the encoded name of the region whose file it is or was
   * @param hfile the file's name there
   */
  record Link(TableName table, String region, String hfile) implements StoreFileName {
    @Override
    public String text() {
      return table.toString().replace(':', '=') + "=" + region + "-" + hfile;
    }
  }

  /**
   * A reference to a part of a file of the same table and family.
   *
   * @param target the file's name in its region; itself not a reference
   * @param region the encoded name of that region
   */
  record Half(StoreFileName target, String region) implements StoreFileName {
    /** Checks that the target is no reference. */
    public Half {
      if (target instanceof Half) {
        throw new IllegalArgumentException("A reference to the reference " + target.text());
      }
    }

    @Override
    public String text() {
      return target.text() + "." + region;
    }

    @Override
    public String hfile() {
      return target.hfile();
    }
  }

  /** Parses {@code name}. */
  static StoreFileName parse(String name) {
    if (name.indexOf('.') < 0 && name.indexOf('=') < 0) { // as most names
      return new Plain(name);
    }
    Matcher half = Patterns.HALF.matcher(name);
    if (half.matches()) {
      return new Half(parse(half.group(1)), half.group(2));
    }
    Matcher link = Patterns.LINK.matcher(name);
    if (link.matches()) {
      String namespace = link.group(1) == null ? TableName.DEFAULT_NAMESPACE : link.group(1);
      return new Link(new TableName(namespace, link.group(2)), link.group(3), link.group(4));
    }
    return new Plain(name);
  }

  /** The forms of names that HBase 2.6 takes for links and references. */
  final class Patterns {
    private static final String HFILE = "[0-9a-f]+(?:_SeqId_[0-9]+_|_del)?";
    private static final String NAMESPACE = "[_\\p{Digit}\\p{IsAlphabetic}]+";
    private static final String TABLE =
        "[_\\p{Digit}\\p{IsAlphabetic}][-_.\\p{Digit}\\p{IsAlphabetic}]*";

    /** Groups: namespace (or nothing), table, region, file. */
    static final Pattern LINK =
        Pattern.compile("(?:(" + NAMESPACE + ")=)?(" + TABLE + ")=([0-9a-f]+)-(" + HFILE + ")");

    /** Groups: file or link, region. */
    static final Pattern HALF =
        Pattern.compile(
            "(%1$s|(?:%2$s=)?%3$s=[0-9a-f]+-%1$s)\\.(.+)".formatted(HFILE, NAMESPACE, TABLE));

    private Patterns() {}
  }
}
