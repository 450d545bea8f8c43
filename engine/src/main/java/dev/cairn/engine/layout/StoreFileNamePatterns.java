package dev.cairn.engine.layout;

import java.util.regex.Pattern;

/** The forms of names that HBase 2.6 takes for links and references. */
final class StoreFileNamePatterns {
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

  private StoreFileNamePatterns() {}
}
