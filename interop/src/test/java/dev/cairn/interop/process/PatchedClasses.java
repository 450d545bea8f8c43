package dev.cairn.interop.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;

/** Compiles a class of Cairn with a planted fault, to replace it in a server's class path. */
final class PatchedClasses {
  private static final Path CHECKOUT = Path.of("..");

  private PatchedClasses() {}

  /**
   * Compiles a source file.
   *
   * @param folder an empty folder for the classes
   * @param source the path in the checkout
   * @param original a text that occurs once in the file
   * @param fault the text in its place
   * @return the folder with the classes
   */
  static Path compile(Path folder, String source, String original, String fault)
      throws IOException {
    String text = Files.readString(CHECKOUT.resolve(source));
    assertThat(text.split(java.util.regex.Pattern.quote(original), -1)).hasSize(2);
    Path patched = folder.resolve(Path.of(source).getFileName());
    Files.writeString(patched, text.replace(original, fault));
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-nowarn",
                "-proc:none",
                "-cp",
                ServerClassPath.get(),
                "-d",
                folder.toString(),
                patched.toString());
    assertThat(status).as("javac").isZero();
    return folder;
  }
}
