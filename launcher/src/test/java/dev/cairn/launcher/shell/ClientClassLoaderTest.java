package dev.cairn.launcher.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.launcher.client.ClientConfiguration;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The configurations that the shell's threads make. */
class ClientClassLoaderTest {
  private final ClassLoader original = Thread.currentThread().getContextClassLoader();

  @BeforeEach
  void set() {
    Thread.currentThread().setContextClassLoader(new ClientClassLoader(original));
  }

  @AfterEach
  void restore() {
    Thread.currentThread().setContextClassLoader(original);
  }

  @Test
  void itHasTheDefaultsOfHBaseAndTheSettings() {
    Configuration configuration = ClientConfiguration.of(Map.of("a", "b"));

    assertThat(configuration.get("a")).isEqualTo("b");
    assertThat(configuration.get(HConstants.HBASE_CLIENT_PAUSE)).isNotNull();
  }

  @Test
  void theConfigurationsThatHadoopMakesHaveNoDefaults() {
    assertThat(new Configuration().get("io.seqfile.compress.blocksize")).isNull();
  }

  @Test
  void itDoesNotFindMapReduce() {
    Configuration configuration = new Configuration();

    assertThatThrownBy(() -> configuration.getClassByName("org.apache.hadoop.mapred.JobConf"))
        .isInstanceOf(ClassNotFoundException.class);
  }
}
