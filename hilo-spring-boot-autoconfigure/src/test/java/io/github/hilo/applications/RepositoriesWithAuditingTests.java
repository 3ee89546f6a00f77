package io.github.hilo.applications;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.Thorough;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.context.annotation.Import;
import org.springframework.data.annotation.CreatedBy;
import org.springframework.data.annotation.CreatedDate;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.LastModifiedBy;
import org.springframework.data.annotation.LastModifiedDate;
import org.springframework.data.annotation.Version;
import org.springframework.data.domain.AuditorAware;
import org.springframework.data.domain.Persistable;
import org.springframework.data.mongodb.config.EnableMongoAuditing;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.repository.MongoRepository;
import org.springframework.data.mongodb.repository.config.EnableMongoRepositories;
import org.springframework.stereotype.Component;
import org.springframework.stereotype.Service;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A magazine: articles know their authors and have versions, and letters to the editor
 * know themselves whether they are new.
 */
@Thorough
class RepositoriesWithAuditingTests {

	private final ApplicationDatabase database = new ApplicationDatabase();

	private final ApplicationContextRunner application = this.database.contextRunner()
		.withUserConfiguration(Application.class);

	@Test
	void articleGetsItsIdAndItsAuthorWithItsFirstVersionAndKeepsThem() {
		this.application.run((context) -> {
			Magazine magazine = context.getBean(Magazine.class);
			Article first = magazine.write("Ada", "On engines");
			assertThat(first.id()).isEqualTo("articles/1-A");
			assertThat(first.version()).isZero();
			assertThat(first.created()).isNotNull();
			Article edited = magazine.edit("Bob", first, "On analytical engines");
			assertThat(edited.id()).isEqualTo(first.id());
			assertThat(edited.version()).isEqualTo(1);
			assertThat(edited.author()).isEqualTo("Ada");
			assertThat(edited.editor()).isEqualTo("Bob");
			assertThat(magazine.write("Cyd", "On looms").id()).as("editing took no number").isEqualTo("articles/2-A");
		});
	}

	@Test
	void letterGetsAnIdUnlessItBringsOneAndIsNewInBothCases() {
		this.application.run((context) -> {
			Letters letters = context.getBean(Letters.class);
			Letter received = letters.save(new Letter(null));
			Letter imported = letters.save(new Letter("imported/7"));
			assertThat(received.getId()).isEqualTo("letters/1-A");
			assertThat(received.isNew()).isFalse();
			assertThat(imported.getId()).isEqualTo("imported/7");
			assertThat(imported.isNew()).as("it was inserted, and auditing dated it").isFalse();
			assertThat(letters.save(received).getId()).isEqualTo("letters/1-A");
			assertThat(letters.count()).isEqualTo(2);
		});
	}

	@Configuration(proxyBeanMethods = false)
	@EnableMongoAuditing
	@EnableMongoRepositories(considerNestedRepositories = true,
			includeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = { Articles.class, Letters.class }))
	@Import({ Magazine.class, CurrentUser.class })
	static class Application {

		@Bean
		AuditorAware<String> auditor(CurrentUser user) {
			return () -> Optional.ofNullable(user.name);
		}

	}

	@Service
	static class Magazine {

		private final Articles articles;

		private final CurrentUser user;

		Magazine(Articles articles, CurrentUser user) {
			this.articles = articles;
			this.user = user;
		}

		Article write(String author, String title) {
			this.user.name = author;
			return this.articles.save(new Article(null, null, title, null, null, null, null));
		}

		Article edit(String editor, Article article, String title) {
			this.user.name = editor;
			this.articles.save(article.withTitle(title));
			return this.articles.findById(Objects.requireNonNull(article.id())).orElseThrow();
		}

	}

	@Component
	static class CurrentUser {

		@Nullable String name;

	}

	interface Articles extends MongoRepository<Article, String> {

	}

	interface Letters extends MongoRepository<Letter, String> {

	}

	@Document("articles")
	record Article(@Id @Nullable String id, @Version @Nullable Long version, String title,
			@CreatedBy @Nullable String author, @CreatedDate @Nullable Instant created,
			@LastModifiedBy @Nullable String editor, @LastModifiedDate @Nullable Instant edited) {

		Article withTitle(String title) {
			return new Article(this.id, this.version, title, this.author, this.created, this.editor, this.edited);
		}

	}

	@Document("letters")
	static class Letter implements Persistable<String> {

		@Id
		private @Nullable String id;

		@CreatedDate
		private @Nullable Instant received;

		Letter(@Nullable String id) {
			this.id = id;
		}

		@Override
		public @Nullable String getId() {
			return this.id;
		}

		@Override
		public boolean isNew() {
			return this.received == null;
		}

	}

}
