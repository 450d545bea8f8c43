package dev.cairn.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The arguments of the shell are those of HBase's shell, and a few more. */
class ShellArgumentsTest {
  @Test
  void optionsAndOneScriptAreRead() {
    ShellArguments arguments =
        ShellArguments.parse(List.of("-n", "-d", "-Da=b=c", "-D", "e=", "--json", "s.rb"));

    assertThat(arguments.stopsAtErrors()).isTrue();
    assertThat(arguments.debugs()).isTrue();
    assertThat(arguments.json()).isTrue();
    assertThat(arguments.settings()).containsEntry("a", "b=c").containsEntry("e", "");
    assertThat(arguments.script()).contains(Path.of("s.rb"));
  }

  @Test
  void aDashMeansStandardInput() {
    assertThat(ShellArguments.parse(List.of("-")).script()).isEmpty();
  }

  @Test
  void impossibleArgumentsAreRefused() {
    for (List<String> arguments :
        List.of(List.of("--nosuch"), List.of("a", "b"), List.of("-D"), List.of("-Dx"))) {
      assertThatThrownBy(() -> ShellArguments.parse(arguments))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
