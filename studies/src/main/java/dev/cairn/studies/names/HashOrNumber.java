package dev.cairn.studies.names;

import static java.util.stream.Collectors.toSet;

import dev.cairn.studies.Design;
import dev.cairn.studies.Question;
import dev.cairn.studies.Study;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;

/** Views of pages with long names: the names in keys, hashes of them, or numbers for them. */
public final class HashOrNumber implements Study<View, Pages> {
  private static final int SOME = 20;

  @Override
  public String name() {
    return "hash-or-number";
  }

  @Override
  public String subject() {
    return "Long names that repeat in many keys: the names, hashes of them, or numbers for them?";
  }

  @Override
  public Stream<View> facts(long count) {
    return View.first(count);
  }

  @Override
  public List<Question<Pages>> questions(long count) {
    return List.of(
        new Question<>(
            "views of a page",
            random -> new Pages(Set.of(View.page(random.nextInt(View.PAGES))), Optional.empty())),
        new Question<>(
            "views of 20 pages",
            random ->
                new Pages(
                    IntStream.range(0, SOME)
                        .mapToObj(i -> View.page(random.nextInt(View.PAGES)))
                        .collect(toSet()),
                    Optional.empty())),
        new Question<>(
            "views of a section",
            random ->
                new Pages(Set.of(), Optional.of(View.section(random.nextInt(View.SECTIONS))))));
  }

  @Override
  public List<Design<View, Pages>> designs() {
    return List.of(
        PlainNames.of("names", DataBlockEncoding.NONE),
        PlainNames.of("names, FAST_DIFF", DataBlockEncoding.FAST_DIFF),
        HashedNames.of("MD5", "hash(md5)", DataBlockEncoding.NONE),
        HashedNames.of("8 bytes of Murmur3", "hash(murmur3_x64_128, 8)", DataBlockEncoding.NONE),
        HashedNames.of(
            "8 bytes of Murmur3, FAST_DIFF",
            "hash(murmur3_x64_128, 8)",
            DataBlockEncoding.FAST_DIFF),
        CheckedHashes.of("4 bytes of Murmur3, checked", "hash(murmur3)"),
        NumberedNames.of("numbers, remembered", true, DataBlockEncoding.NONE),
        NumberedNames.of("numbers, looked up", false, DataBlockEncoding.NONE),
        NumberedNames.of("numbers, FAST_DIFF", true, DataBlockEncoding.FAST_DIFF));
  }

  @Override
  public List<View> answer(Stream<View> facts, Pages asked) {
    return asked.sorted(facts);
  }
}
