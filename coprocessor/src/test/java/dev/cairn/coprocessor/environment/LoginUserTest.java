package dev.cairn.coprocessor.environment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.hadoop.hbase.security.User;
import org.junit.jupiter.api.Test;

/** Coprocessors run code as the user of the server, with the classes that the server has. */
class LoginUserTest {
  @Test
  void codeRunsAsTheLoginUser() throws IOException {
    String name = User.runAsLoginUser(() -> User.getCurrent().getShortName());
    assertThat(name).isEqualTo(System.getProperty("user.name"));
  }
}
