package dev.cairn.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No document has a dead link, neither in a checkout nor in the package, whose layout differs. */
class LinksTest {
  private static final Path CHECKOUT = Path.of("..");

  /** Folders at the top of a checkout that are not sources. */
  private static final Set<String> OTHER = Set.of(".git", "lib", "data", "logs", "cluster");

  /** The name of files with the beginning of a generated page. */
  private static final String BEGINNING = "head.md";

  /** Files that may name a page of the documentation. */
  private static final Pattern SOURCE =
      Pattern.compile(".*\\.(md|java|xml|properties|service|ya?ml|js|html|sh)");

  private static final Pattern PAGE = Pattern.compile("\\bdocs/([\\w/-]+\\.(?:md|json))\\b");

  @TempDir Path folder;

  @Test
  void theCheckoutHasNoDeadLink() throws IOException {
    assertThat(dead(CHECKOUT)).isEmpty();
  }

  @Test
  void thePackageHasNoDeadLink() throws Exception {
    Path archive = Path.of(System.getProperty("cairn.package"));
    Path output = folder.resolve("output");
    Process tar =
        new ProcessBuilder("tar", "-xzf", archive.toString(), "--exclude=*.jar")
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertThat(tar.waitFor()).as(Files.readString(output)).isZero();
    Path unpacked = folder.resolve(archive.getFileName().toString().replace(".tar.gz", ""));
    assertThat(unpacked.resolve("docs/OPERATIONS.md")).isNotEmptyFile();
    assertThat(dead(unpacked)).isEmpty();
  }

  /** Comments, messages and settings name pages, too. */
  @Test
  void thePagesThatSourcesNameExist() throws IOException {
    Set<String> missing = new TreeSet<>();
    for (Path source : files(CHECKOUT)) {
      if (SOURCE.matcher(source.toString()).matches()) {
        PAGE.matcher(Files.readString(source))
            .results()
            .map(match -> match.group(1))
            .filter(page -> !Files.exists(CHECKOUT.resolve("docs").resolve(page)))
            .forEach(page -> missing.add(CHECKOUT.relativize(source) + ": docs/" + page));
      }
    }
    assertThat(missing).isEmpty();
  }

  @Test
  void findsDeadLinks() throws IOException {
    Files.writeString(
        folder.resolve("a.md"),
        """
        # Log's *end* and `tail`
        ## Twice
        ## Twice
        [file](b.md) [here](#twice-1) [there](b.md#end-of-b) [web](https://example.org/x#y)
        [no file](c.md) [no heading](#logs-tail) [none there](b.md#end)
        [outside](../a.md) `[code](d.md)` [it](#logs-end-and-tail)
            [code](e.md)
        ```
        [code](f.md)
        # Heading
        ```
        [not a heading](#heading)
        """);
    Files.writeString(folder.resolve("b.md"), "## End of `B`\n");
    assertThat(new Links(folder).dead(folder.resolve("a.md")))
        .containsExactly(
            "line 5: c.md",
            "line 5: #logs-tail",
            "line 5: b.md#end",
            "line 6: ../a.md",
            "line 12: #heading");
  }

  /** Returns the dead links of all documents below a folder, by document. */
  private static TreeMap<Path, List<String>> dead(Path root) throws IOException {
    Links links = new Links(root);
    TreeMap<Path, List<String>> found = new TreeMap<>();
    for (Path document : files(root)) {
      String name = document.getFileName().toString();
      if (name.endsWith(".md") && !name.equals(BEGINNING)) {
        List<String> dead = links.dead(document);
        if (!dead.isEmpty()) {
          found.put(root.relativize(document), dead);
        }
      }
    }
    return found;
  }

  /** Returns the files below a folder that are neither built nor data. */
  private static List<Path> files(Path root) throws IOException {
    List<Path> found = new ArrayList<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            String name = folder.getFileName().toString();
            boolean skipped =
                name.equals("target") || (root.equals(folder.getParent()) && OTHER.contains(name));
            return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            found.add(file);
            return FileVisitResult.CONTINUE;
          }
        });
    return found;
  }
}
