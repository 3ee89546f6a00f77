package io.github.hilo.applications;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.Thorough;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.batch.core.BatchStatus;
import org.springframework.batch.core.configuration.support.MapJobRegistry;
import org.springframework.batch.core.job.Job;
import org.springframework.batch.core.job.builder.JobBuilder;
import org.springframework.batch.core.job.parameters.JobParameters;
import org.springframework.batch.core.launch.JobOperator;
import org.springframework.batch.core.launch.support.TaskExecutorJobOperator;
import org.springframework.batch.core.repository.JobRepository;
import org.springframework.batch.core.repository.support.MongoJobRepositoryFactoryBean;
import org.springframework.batch.core.step.builder.StepBuilder;
import org.springframework.batch.infrastructure.item.Chunk;
import org.springframework.batch.infrastructure.item.ItemWriter;
import org.springframework.batch.infrastructure.item.data.RepositoryItemWriter;
import org.springframework.batch.infrastructure.repeat.RepeatStatus;
import org.springframework.batch.infrastructure.support.transaction.ResourcelessTransactionManager;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.MongoOperations;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.convert.MappingMongoConverter;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.repository.MongoRepository;
import org.springframework.data.mongodb.repository.support.MongoRepositoryFactory;
import org.springframework.jdbc.support.incrementer.DataFieldMaxValueIncrementer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A job that imports orders, with Spring Batch's job repository in MongoDB.
 */
@Thorough
class SpringBatchTests {

	private final ApplicationDatabase database = new ApplicationDatabase();

	@Test
	void jobRepositoryKeepsItsIdsAndOnlyOrdersHaveACounter() {
		for (String sequence : new String[] { "JOB_INSTANCE", "JOB_EXECUTION", "STEP_EXECUTION" }) {
			this.database.collection("BATCH_SEQUENCES")
				.insertOne(new org.bson.Document("_id", "BATCH_" + sequence + "_SEQ").append("count", 0L));
		}
		importOrders(this.database.contextRunner());
		for (String collection : new String[] { "BATCH_JOB_INSTANCE", "BATCH_JOB_EXECUTION", "BATCH_STEP_EXECUTION" }) {
			assertThat(this.database.ids(collection)).singleElement().isInstanceOf(ObjectId.class);
		}
		assertThat(this.database.collection("BATCH_JOB_INSTANCE").find().first()).containsEntry("jobInstanceId", 1L);
		assertThat(this.database.ids("orders")).containsExactly("orders/1-A", "orders/2-A");
		assertThat(this.database.counters()).containsExactly("Raven/HiLo/orders");
	}

	@Test
	void writersOverRepositoryAndTemplateGiveIds() {
		this.database.contextRunner().run((context) -> {
			MongoTemplate template = context.getBean(MongoTemplate.class);
			MongoRepositoryFactory repositories = new MongoRepositoryFactory(template);
			repositories.setBeanClassLoader(getClass().getClassLoader());
			new RepositoryItemWriter<>(repositories.getRepository(Receipts.class))
				.write(Chunk.of(new Receipt(null, "Ada"), new Receipt(null, "Bob")));
			new Application().ticketWriter(template).write(Chunk.of(new Ticket(0, "Ada"), new Ticket(0, "Bob")));
		});
		assertThat(this.database.ids("receipts")).containsExactly(1L, 2L);
		assertThat(this.database.ids("tickets")).containsExactly(1L, 2L);
	}

	@Test
	void jobRepositoryCanCountWithHiLo() {
		importOrders(this.database.contextRunner().withBean(JobCounters.class));
		assertThat(this.database.collection("BATCH_JOB_INSTANCE").find().first()).containsEntry("jobInstanceId", 1L);
		assertThat(this.database.counters()).containsExactlyInAnyOrder("Raven/HiLo/orders",
				"Raven/HiLo/BATCH_JOB_INSTANCE_SEQ", "Raven/HiLo/BATCH_JOB_EXECUTION_SEQ",
				"Raven/HiLo/BATCH_STEP_EXECUTION_SEQ");
	}

	private static void importOrders(ApplicationContextRunner application) {
		application.withUserConfiguration(Application.class)
			.run((context) -> assertThat(
					context.getBean(JobOperator.class).start(context.getBean(Job.class), new JobParameters()))
				.satisfies((execution) -> assertThat(execution.getStatus()).isEqualTo(BatchStatus.COMPLETED)));
	}

	@Configuration(proxyBeanMethods = false)
	static class Application {

		/**
		 * The stand-in for MongoDB has no transactions.
		 */
		private final ResourcelessTransactionManager transactions = new ResourcelessTransactionManager();

		@Bean
		MongoJobRepositoryFactoryBean jobRepository(MongoTemplate template, MappingMongoConverter converter,
				ObjectProvider<JobCounters> counters) {
			converter.setMapKeyDotReplacement("_");
			MongoJobRepositoryFactoryBean repository = new MongoJobRepositoryFactoryBean();
			repository.setMongoOperations(template);
			repository.setTransactionManager(this.transactions);
			counters.ifAvailable((all) -> all.countFor(repository));
			return repository;
		}

		@Bean
		TaskExecutorJobOperator jobOperator(JobRepository repository) {
			TaskExecutorJobOperator operator = new TaskExecutorJobOperator();
			operator.setJobRepository(repository);
			operator.setJobRegistry(new MapJobRegistry());
			return operator;
		}

		@Bean
		ItemWriter<Order> orderWriter(MongoOperations template) {
			return (chunk) -> template.insert(chunk.getItems(), Order.class);
		}

		ItemWriter<Ticket> ticketWriter(MongoOperations template) {
			return (chunk) -> template.insert(chunk.getItems(), Ticket.class);
		}

		@Bean
		Job importOrders(JobRepository repository, ItemWriter<Order> orderWriter) {
			return new JobBuilder("import", repository)
				.start(new StepBuilder("orders", repository).tasklet((contribution, context) -> {
					orderWriter.write(Chunk.of(new Order(null, "Ada"), new Order(null, "Bob")));
					return RepeatStatus.FINISHED;
				}, this.transactions).build())
				.build();
		}

	}

	record JobCounters(HiLoIdGenerator ids) {

		void countFor(MongoJobRepositoryFactoryBean repository) {
			repository.setJobInstanceIncrementer(new HiLoIncrementer(this.ids, "BATCH_JOB_INSTANCE_SEQ"));
			repository.setJobExecutionIncrementer(new HiLoIncrementer(this.ids, "BATCH_JOB_EXECUTION_SEQ"));
			repository.setStepExecutionIncrementer(new HiLoIncrementer(this.ids, "BATCH_STEP_EXECUTION_SEQ"));
		}

	}

	record HiLoIncrementer(HiLoIdGenerator ids, String sequence) implements DataFieldMaxValueIncrementer {

		@Override
		public long nextLongValue() {
			return this.ids.nextId(this.sequence);
		}

		@Override
		public int nextIntValue() {
			return Math.toIntExact(nextLongValue());
		}

		@Override
		public String nextStringValue() {
			return Long.toString(nextLongValue());
		}

	}

	interface Receipts extends MongoRepository<Receipt, Long> {

	}

	@Document("receipts")
	record Receipt(@Id @Nullable Long id, String customer) {
	}

	@Document("tickets")
	record Ticket(@Id long id, String customer) {
	}

	@Document("orders")
	record Order(@Id @Nullable String id, String customer) {
	}

}
