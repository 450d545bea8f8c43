package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.retention.RetainedCells;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.storage.StorageOperation;
import dev.cairn.engine.store.StoreFile;
import dev.cairn.engine.store.StoreFileHook;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A new concern of flushes and compactions is one class and one line of wiring. */
class StoreFileHookTest {
  @AutoClose private final RegionHarness harness = RegionHarness.ofTwoFamilies();
  private final List<String> told = new ArrayList<>();
  private boolean refuses;

  StoreFileHookTest() throws IOException {
    harness.closeCleanly();
    harness.hookFilesWith(new WithoutSecrets()); // the line of wiring
    harness.open();
  }

  /** Drops the cells of the column {@code secret} at compactions. */
  private final class WithoutSecrets implements StoreFileHook {
    @Override
    public void begin(Rewrite rewrite) throws IOException {
      if (refuses) {
        throw new IOException("not now");
      }
      told.add(rewrite.mode() + " of " + rewrite.family().nameAsString());
    }

    @Override
    public RetainedCells wrap(Rewrite rewrite, RetainedCells retained) {
      return rewrite.isFlush() ? retained : new Filtered(retained);
    }

    @Override
    public void end(Rewrite rewrite, Candidate file) {
      assertThat(files()).contains(file.name());
      assertThat(rewrite.inputs()).extracting(Candidate::name).noneMatch(files()::contains);
      told.add(rewrite.inputs().size() + " files replaced");
    }

    @Override
    public void abandoned(Rewrite rewrite) {
      told.add("abandoned");
    }
  }

  private record Filtered(RetainedCells retained) implements RetainedCells {
    @Override
    public boolean next() throws IOException {
      boolean on = retained.next();
      while (on && Bytes.utf8(retained.cell().qualifier()).equals("secret")) {
        on = retained.next();
      }
      return on;
    }

    @Override
    public Cell cell() {
      return retained.cell();
    }

    @Override
    public void close() {
      retained.close();
    }
  }

  private List<String> files() {
    return harness.region() == null
        ? List.of()
        : harness.region().stores().get(0).view().files().stream().map(StoreFile::name).toList();
  }

  private void putBoth(String row) throws IOException {
    harness.put(row, "q", "v");
    harness.put(row, "secret", "s");
  }

  @Test
  void changesTheCellsOfACompaction() throws IOException {
    putBoth("a");
    harness.region().flush();
    putBoth("b");
    harness.region().flush();
    assertThat(harness.dump())
        .containsExactly("a/f:q=v", "a/f:secret=s", "b/f:q=v", "b/f:secret=s");
    harness.region().compact(true);
    assertThat(harness.dump()).containsExactly("a/f:q=v", "b/f:q=v");
    assertThat(told)
        .containsExactly(
            "FLUSH of f",
            "0 files replaced",
            "FLUSH of f",
            "0 files replaced",
            "MAJOR of f",
            "2 files replaced");
  }

  @Test
  void isToldOfTheFlushOfARecovery() throws IOException {
    List<String> ends = new ArrayList<>();
    harness.closeCleanly();
    harness.hookFilesWith(
        new StoreFileHook() {
          @Override
          public void end(Rewrite rewrite, Candidate file) {
            ends.add(rewrite.mode() + " " + file.name());
          }
        });
    harness.open();
    harness.put("a", "q", "v");
    harness.powerCut();
    assertThat(ends).containsExactly("FLUSH " + files().get(0));
    assertThat(harness.dump()).containsExactly("a/f:q=v");
  }

  @Test
  void refusesACompaction() throws IOException {
    putBoth("a");
    harness.region().flush();
    List<String> before = files();
    told.clear();
    refuses = true;
    assertThatThrownBy(() -> harness.region().compact(true)).hasMessage("not now");
    assertThat(told).isEmpty();
    assertThat(files()).isEqualTo(before);
    refuses = false;
    harness.region().compact(true);
    assertThat(told).containsExactly("MAJOR of f", "1 files replaced");
  }

  @Test
  void hearsOfARewriteThatFails() throws IOException {
    boolean[] fails = new boolean[1];
    harness.closeCleanly();
    harness.failWith((operation, path) -> fails[0] && operation == StorageOperation.RENAME);
    harness.open();
    putBoth("a");
    fails[0] = true;
    assertThatThrownBy(() -> harness.region().flush()).isInstanceOf(IOException.class);
    fails[0] = false;
    assertThat(told).containsExactly("FLUSH of f", "abandoned");
    harness.region().flush();
    assertThat(harness.dump()).containsExactly("a/f:q=v", "a/f:secret=s");
  }

  private static FamilySchema withVersions(FamilySchema family, int versions) {
    return FamilySchema.of(family.nameAsString(), Map.of("VERSIONS", "" + versions));
  }

  private List<String> versions(int kept) throws IOException {
    return harness.dump(
        ScanRequest.builder()
            .maxVersions(10)
            .retention(family -> withVersions(family, kept))
            .build());
  }

  @Test
  void choosesByWhichRulesARewriteKeepsCells() throws IOException {
    int[] kept = {5};
    harness.closeCleanly();
    harness.hookFilesWith(
        new StoreFileHook() {
          @Override
          public Retention retention(Rewrite rewrite, Retention stored) {
            return new Retention(
                withVersions(rewrite.family(), kept[0]), stored.purgeDeletesAfterMillis());
          }
        });
    harness.open();
    for (int i = 1; i <= 7; i++) {
      harness.put("a", "q", "v" + i);
    }
    harness.region().flush();
    harness.region().compact(true);
    assertThat(versions(9))
        .containsExactly("a/f:q=v7", "a/f:q=v6", "a/f:q=v5", "a/f:q=v4", "a/f:q=v3");
    assertThat(versions(1)).containsExactly("a/f:q=v7");
    assertThat(harness.dump(ScanRequest.builder().maxVersions(10).build())).hasSize(3);
    kept[0] = 4;
    harness.region().compact(true);
    assertThat(versions(9)).hasSize(4);
    kept[0] = 1;
    harness.region().compact(true);
    assertThat(versions(9)).containsExactly("a/f:q=v7");
  }

  @Test
  void choosesTheFilesOfACompaction() throws IOException {
    List<String> asked = new ArrayList<>();
    List<Integer> choice = new ArrayList<>();
    harness.closeCleanly();
    harness.hookFilesWith(
        new StoreFileHook() {
          @Override
          public boolean choosesFiles() {
            return true;
          }

          @Override
          public List<Candidate> select(
              RegionInfo region,
              FamilySchema family,
              List<Candidate> candidates,
              boolean major,
              Optional<String> requester,
              UnaryOperator<List<Candidate>> policy) {
            assertThat(candidates).extracting(Candidate::name).isEqualTo(files());
            asked.add(
                candidates.size() + " files, the store takes " + policy.apply(candidates).size());
            return choice.stream().map(candidates::get).toList();
          }
        });
    harness.open();
    for (int i = 0; i < 4; i++) {
      harness.put("a" + i, "q", "v");
      harness.region().flush();
    }
    List<String> before = files();
    harness.region().compact(F, true, Optional.empty());
    assertThat(files()).isEqualTo(before);
    choice.addAll(List.of(1, 3));
    assertThatThrownBy(() -> harness.region().compact(F, true, Optional.empty()))
        .isInstanceOf(IllegalArgumentException.class);
    choice.set(1, 2);
    harness.region().compact(F, true, Optional.empty());
    assertThat(files()).hasSize(3).startsWith(before.get(0)).endsWith(before.get(3));
    assertThat(asked)
        .containsExactly(
            "4 files, the store takes 4",
            "4 files, the store takes 4",
            "4 files, the store takes 4");
    choice.clear();
    harness.region().compact(F, false, Optional.empty());
    assertThat(asked).last().isEqualTo("3 files, the store takes 3");
    choice.addAll(List.of(0, 1, 2));
    harness.region().compact(F, true, Optional.empty());
    assertThat(files()).hasSize(1);
    assertThat(harness.dump()).hasSize(4);
  }

  @Test
  void aStoppedCompactionEndsThoughTheHookReturnsNoCell() throws IOException {
    List<String> heard = new ArrayList<>();
    boolean[] swallows = new boolean[1];
    harness.closeCleanly();
    harness.hookFilesWith(
        new StoreFileHook() {
          @Override
          public RetainedCells wrap(Rewrite rewrite, RetainedCells retained) throws IOException {
            if (rewrite.isFlush()) {
              return retained;
            }
            harness.region().stores().get(0).stopCompactions();
            try {
              heard.add("read " + retained.next());
            } catch (IOException e) {
              heard.add("stopped");
              if (!swallows[0]) {
                throw e;
              }
            }
            return new Filtered(retained);
          }

          @Override
          public void abandoned(Rewrite rewrite) {
            heard.add("abandoned");
          }
        });
    harness.open();
    putBoth("a");
    harness.region().flush();
    List<String> before = files();
    harness.region().compact(true);
    harness.region().stores().get(0).resumeCompactions();
    swallows[0] = true;
    harness.region().compact(true);
    assertThat(heard).containsExactly("stopped", "abandoned", "stopped", "abandoned");
    assertThat(files()).isEqualTo(before);
    assertThat(harness.dump()).containsExactly("a/f:q=v", "a/f:secret=s");
  }

  @Test
  void seesTheFilesAndTheRequesterOfACompaction() throws IOException {
    List<String> seen = new ArrayList<>();
    harness.closeCleanly();
    harness.hookFilesWith(
        new StoreFileHook() {
          @Override
          public void begin(Rewrite rewrite) {
            seen.add(rewrite.inputs().size() + " for " + rewrite.requester());
          }
        });
    harness.open();
    putBoth("a");
    harness.region().flush();
    harness.region().compact(F, true, Optional.of("ann"));
    harness.region().compact(true);
    assertThat(seen)
        .containsExactly("0 for Optional.empty", "1 for Optional[ann]", "1 for Optional.empty");
  }

  @Test
  void mustNotAnswerWithAnotherFamily() throws IOException {
    harness.closeCleanly();
    harness.hookFilesWith(
        new StoreFileHook() {
          @Override
          public Retention retention(Rewrite rewrite, Retention stored) {
            return new Retention(FamilySchema.of("other"), stored.purgeDeletesAfterMillis());
          }
        });
    harness.open();
    harness.put("a", "q", "v");
    assertThatThrownBy(() -> harness.region().flush()).hasMessageContaining("another family");
    assertThat(harness.dump()).containsExactly("a/f:q=v");
  }

  @Test
  void hearsOfTheFlushesOfARegion() throws IOException {
    List<String> flushes = new ArrayList<>();
    boolean[] fails = new boolean[2];
    harness.closeCleanly();
    harness.failWith((operation, path) -> fails[0] && operation == StorageOperation.RENAME);
    harness.hookFilesWith(
        new StoreFileHook() {
          @Override
          public void flushBegins(RegionInfo region, List<FamilySchema> families)
              throws IOException {
            if (fails[1]) {
              throw new IOException("not now");
            }
            flushes.add("begins " + names(families));
          }

          @Override
          public void end(Rewrite rewrite, Candidate file) {
            flushes.add("file of " + rewrite.family().nameAsString());
          }

          @Override
          public void flushEnds(RegionInfo region, List<FamilySchema> families, OptionalInt files) {
            flushes.add("ends " + names(families) + " " + files);
            throw new IllegalStateException("does no harm");
          }
        });
    harness.open();
    harness.put("a", "q", "v");
    assertThat(harness.region().flush()).isTrue();
    assertThat(harness.region().flush()).isFalse();
    harness.put("a", "q", "w");
    fails[0] = true;
    assertThatThrownBy(() -> harness.region().flush()).isInstanceOf(IOException.class);
    fails[0] = false;
    fails[1] = true;
    assertThatThrownBy(() -> harness.region().flush()).hasMessage("not now");
    fails[1] = false;
    assertThat(flushes)
        .containsExactly(
            "begins [f, g]",
            "file of f",
            "ends [f, g] OptionalInt[1]",
            "begins [f, g]",
            "ends [f, g] OptionalInt[0]",
            "begins [f, g]",
            "ends [f, g] OptionalInt.empty");
    assertThat(harness.region().flush()).isTrue();
    assertThat(harness.dump()).containsExactly("a/f:q=w");
  }

  @Test
  void doesNotHearOfTheFlushOfAClosing() throws IOException {
    List<String> heard = new ArrayList<>();
    harness.closeCleanly();
    harness.hookFilesWith(
        new StoreFileHook() {
          @Override
          public void flushBegins(RegionInfo region, List<FamilySchema> families) {
            heard.add("begins");
          }

          @Override
          public void flushEnds(RegionInfo region, List<FamilySchema> families, OptionalInt files) {
            heard.add("ends");
          }

          @Override
          public void end(Rewrite rewrite, Candidate file) {
            heard.add("file");
          }
        });
    harness.open();
    harness.put("a", "q", "v");
    harness.closeCleanly();
    harness.open();
    assertThat(heard).containsExactly("file");
  }

  private static List<String> names(List<FamilySchema> families) {
    return families.stream().map(FamilySchema::nameAsString).toList();
  }

  @Test
  void leavesNoFileIfItFailsToWrap() throws IOException {
    List<String> created = new ArrayList<>();
    harness.closeCleanly();
    harness.failWith(
        (operation, path) -> {
          if (operation == StorageOperation.CREATE) {
            created.add(path);
          }
          return false;
        });
    harness.hookFilesWith(
        new StoreFileHook() {
          @Override
          public RetainedCells wrap(Rewrite rewrite, RetainedCells retained) throws IOException {
            throw new IOException("not wrapped");
          }
        });
    harness.open();
    putBoth("a");
    created.clear();
    assertThatThrownBy(() -> harness.region().flush()).hasMessage("not wrapped");
    assertThat(created).isEmpty();
    assertThat(harness.dump()).containsExactly("a/f:q=v", "a/f:secret=s");
  }

  @Test
  void seesAMinorCompactionBesideALargeOne() throws IOException {
    List<String> modes = new ArrayList<>();
    harness.closeCleanly();
    harness.hookFilesWith(
        new StoreFileHook() {
          @Override
          public RetainedCells wrap(Rewrite rewrite, RetainedCells retained) throws IOException {
            modes.add(rewrite.mode().name());
            if (rewrite.mode().name().equals("MAJOR")) {
              for (int i = 0; i < 4; i++) {
                harness.put("b" + i, "q", "v");
                harness.region().flush();
              }
              harness.region().compact(false);
            }
            return retained;
          }
        });
    harness.open();
    for (int i = 0; i < 2; i++) {
      harness.put("a" + i, "q", "v");
      harness.region().flush();
    }
    modes.clear();
    harness.region().compact(true);
    assertThat(modes).startsWith("MAJOR").containsOnlyOnce("MINOR").endsWith("MINOR");
    assertThat(files()).hasSize(2);
    assertThat(harness.dump()).hasSize(6);
  }
}
